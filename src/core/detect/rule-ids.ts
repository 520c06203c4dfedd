import type { Family } from './types.ts';

/** Names of rules by family, apart from the rules, so that a policy is read without them. A test ensures that they match. */
const NAMES: Readonly<Record<Family, string>> = {
  credential_theft:
    'asks_for_file file_handed_on hand_over_file hand_over_secret metadata_address read_secret ' +
    'read_secret_file secret_file secrets_at_hand steal store_in_argument ' +
    'variable_in_argument wanted_by_name wanted_secret',
  exfiltration:
    'all_above by_an_outlet conversation conversation_sent first_with_all image into_parameter money must_contact ' +
    'send_personal send_to_address system_prompt wanted_by_name whole_conversation',
  hidden_instructions:
    'addresses_model answers_for_user banner bypass_safety call_first changed_before_shown changes_parameters chat_template ' +
    'claims_authority claims_consent command_run conceal consent consequences cover_story danger decode_and_follow ' +
    'do_not_mention excuse fake_answer fake_turn false_report flow_without_consent follow_output from_now_on ' +
    'if_a_model ignore_previous important_banner instructions_void keeps_itself later like_an_attack must_call never_asks ' +
    'new_role new_task obey order_in_tag order_tag outranks override_people pipe_to_shell plants plays_down ' +
    'poisons_memory precondition redirects regardless reroutes social stealth system_message system_turn ' +
    'threat to_the_model to_whoever_is_a_model todo_order unnoticed urgent_call',
  shell_injection: 'argument',
  path_traversal: 'climb encoded into_system system_file zero_byte',
  tool_shadowing:
    'affects_other also_call before_all_others before_or_after_other only_this orders_about_other prefer_this ' +
    'results_handed_on',
  obfuscation:
    'bidi dressed_name encoded_base32 encoded_base64 encoded_binary encoded_decimal encoded_hex encoded_rot13 ' +
    'encoded_spacing encoded_spelling escaped_terminal_escape fullwidth hidden_comment homoglyph out_of_sight styled_letters terminal_escape terminal_style too_long ' +
    'unicode_tags unseen_markup variation_selectors zero_width',
  covert_side_effect: 'also keeps_data runs_with_more sends_data sends_files stored_away',
  secret_leak: 'in_text',
};

/** `FAMILY.NAME` of every rule; a policy's own pattern is `custom.NAME`. */
export const RULE_IDS: readonly string[] = Object.entries(NAMES).flatMap(([family, names]) =>
  names.split(' ').map((name) => `${family}.${name}`),
);
