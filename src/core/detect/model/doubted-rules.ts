/**
 * Rules on words whose high findings count as such only if the model bears them out: measured on honest texts of sources that their author
 * had not seen, they flag about as many of those as they add attacks that the model misses.
 */
export const DOUBTED_RULES: Readonly<Record<'definition' | 'text', ReadonlySet<string>>> = {
  definition: ids({
    exfiltration: 'must_contact system_prompt',
    hidden_instructions: 'bypass_safety consent override_people system_message',
    tool_shadowing: 'also_call',
  }),
  text: ids({
    credential_theft: 'asks_for_file file_handed_on hand_over_secret read_secret read_secret_file',
    exfiltration: 'conversation conversation_sent send_personal send_to_address whole_conversation',
    hidden_instructions:
      'banner call_first changes_parameters chat_template command_run conceal consent cover_story fake_turn follow_output keeps_itself ' +
      'later must_call new_task obey override_people regardless social system_message system_turn to_the_model',
    tool_shadowing: 'affects_other',
  }),
};

function ids(names: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(Object.entries(names).flatMap(([family, list]) => list.split(' ').map((name) => `${family}.${name}`)));
}
