import { CATEGORIES, type Category } from '../../../src/core/call.ts';

/**
 * Names of tools of public servers, by server and by what each tool does, labelled by hand from what the servers' documentation says and
 * not from the name: data that is given is `read`; what is changed, there or on this machine, is `write`; words for people, and data for an address that
 * the caller names, are `send`; code that is run, and answers that are worked out, are `compute`; commands and code that are given
 * are `execute`; what is gone for good, or changes what others share, is `destroy`. Where the documentation leaves it to the caller, all apply.
 */
const BY_SERVER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  filesystem: {
    read: 'read_file read_text_file read_media_file read_multiple_files list_directory list_directory_with_sizes directory_tree search_files get_file_info list_allowed_directories',
    write: 'write_file edit_file create_directory move_file',
  },
  memory: {
    read: 'read_graph search_nodes open_nodes',
    write: 'create_entities create_relations add_observations delete_entities delete_observations delete_relations',
  },
  everything: {
    compute: 'echo add sampleLLM longRunningOperation',
    read: 'printEnv getTinyImage annotatedMessage getResourceReference',
  },
  git: {
    read: 'git_status git_diff_unstaged git_diff_staged git_diff git_log git_show git_branch',
    write: 'git_commit git_add git_reset git_create_branch git_checkout git_init',
    'write send': 'git_push',
  },
  time: {
    read: 'get_current_time',
    compute: 'convert_time',
  },
  thinking: {
    compute: 'sequentialthinking',
  },
  fetch: {
    'read send': 'fetch fetch_html fetch_json fetch_txt fetch_markdown',
  },
  github: {
    read: 'get_file_contents search_repositories search_code search_issues search_users list_commits list_issues get_issue get_pull_request list_pull_requests get_pull_request_files get_pull_request_status get_pull_request_comments get_pull_request_reviews get_me get_job_logs list_workflows list_workflow_runs get_workflow_run list_branches list_tags get_tag list_releases get_latest_release list_notifications get_notification_details list_code_scanning_alerts get_secret_scanning_alert list_dependabot_alerts list_gists list_discussions get_discussion download_workflow_run_artifact list_starred_repositories',
    write:
      'create_or_update_file create_repository create_issue create_pull_request create_branch fork_repository update_issue update_pull_request update_pull_request_branch delete_file assign_copilot_to_issue dismiss_notification mark_all_notifications_read manage_notification_subscription create_gist update_gist star_repository unstar_repository cancel_workflow_run rerun_workflow_run delete_workflow_run_logs add_sub_issue reprioritize_sub_issue',
    'write destroy': 'merge_pull_request',
    'write send':
      'push_files add_issue_comment create_pull_request_review add_comment_to_pending_review create_and_submit_pull_request_review request_copilot_review',
    'write compute': 'run_workflow',
  },
  gitlab: {
    read: 'list_merge_requests get_merge_request_diffs get_project list_pipelines get_pipeline_job_output mr_discussions get_repository_tree list_group_projects',
    write: 'create_merge_request update_merge_request retry_pipeline cancel_pipeline create_label play_pipeline_job',
    'write send': 'create_note create_merge_request_thread update_issue_note',
  },
  slack: {
    read: 'slack_list_channels slack_get_channel_history slack_get_thread_replies slack_get_users slack_get_user_profile conversations_history conversations_replies conversations_search_messages channels_list',
    send: 'slack_post_message slack_reply_to_thread conversations_add_message',
    write: 'slack_add_reaction',
  },
  puppeteer: {
    'read send': 'puppeteer_navigate',
    read: 'puppeteer_screenshot',
    write: 'puppeteer_click puppeteer_fill puppeteer_select puppeteer_hover',
    'write compute execute': 'puppeteer_evaluate',
  },
  playwright: {
    'read send': 'browser_navigate browser_navigate_back',
    read: 'browser_snapshot browser_take_screenshot browser_console_messages browser_network_requests browser_wait_for browser_pdf_save browser_tab_list',
    write:
      'browser_click browser_type browser_hover browser_drag browser_select_option browser_press_key browser_fill_form browser_handle_dialog browser_close browser_resize browser_install browser_tab_new browser_tab_close',
    'write send': 'browser_file_upload',
    'write compute execute': 'browser_evaluate browser_run_code',
  },
  databases: {
    read: 'query read_query list_tables describe_table describe-table list_schemas get_object_details explain_query analyze_db_health analyze_query_indexes get_top_queries mysql_query',
    write: 'write_query create_table append_insight alter_table insert_record',
    'write destroy': 'drop_table',
    'read write compute': 'execute_sql execute_query run_query',
  },
  search: {
    read: 'brave_web_search brave_local_search brave_news_search tavily-search tavily_search exa_search web_search_exa company_research_exa perplexity_ask kagi_search_fetch google_search search_arxiv search_wikipedia',
    'read send': 'tavily-extract tavily_crawl firecrawl_scrape firecrawl_crawl firecrawl_map crawling_exa',
    compute: 'kagi_summarizer',
  },
  'google-maps': {
    read: 'maps_search_places maps_place_details maps_elevation maps_directions maps_distance_matrix maps_geocode maps_reverse_geocode',
  },
  sentry: {
    read: 'whoami find_organizations find_teams find_projects find_releases find_tags get_issue_details get_trace_details search_events search_docs get_doc get_event_attachment get_sentry_issue list_issue_events',
    write: 'create_team create_project update_project create_dsn',
    compute: 'analyze_issue_with_seer',
  },
  notion: {
    read: 'API-get-user API-get-users API-get-self API-post-search API-post-database-query API-retrieve-a-page API-retrieve-a-block API-get-block-children API-retrieve-a-comment notion-search notion-fetch notion-get-users notion_retrieve_page notion_query_database notion-get-comments',
    write:
      'API-post-page API-patch-page API-patch-block-children API-update-a-block API-delete-a-block API-create-a-database notion-create-pages notion-update-page notion-move-pages notion-duplicate-page notion_append_block_children notion_create_database_item',
    'write send': 'API-create-a-comment notion-create-comment',
  },
  linear: {
    read: 'list_projects list_teams get_team list_users list_issue_statuses linear_search_issues linear_get_user_issues list_cycles get_document list_comments',
    write: 'linear_create_issue linear_update_issue create_project_label update_project save_issue',
    'write send': 'linear_add_comment create_comment',
  },
  atlassian: {
    read: 'jira_get_issue jira_search jira_get_transitions jira_get_worklog jira_download_attachments jira_get_sprint_issues confluence_search confluence_get_page confluence_get_page_children getJiraIssue searchJiraIssuesUsingJql getVisibleJiraProjects getTransitionsForJiraIssue lookupJiraAccountId getAccessibleAtlassianResources atlassianUserInfo getConfluencePage getConfluencePageFooterComments jira_batch_get_changelogs',
    write:
      'jira_create_issue jira_update_issue jira_delete_issue jira_transition_issue jira_add_worklog jira_link_to_epic jira_create_issue_link confluence_create_page confluence_update_page confluence_delete_page createJiraIssue editJiraIssue transitionJiraIssue createConfluencePage updateConfluencePage jira_create_sprint',
    'write send': 'jira_add_comment confluence_add_comment addCommentToJiraIssue createConfluenceFooterComment',
  },
  stripe: {
    read: 'list_customers list_products list_invoices retrieve_balance list_payment_intents list_subscriptions list_disputes search_stripe_documentation search_stripe_resources get_stripe_account_info fetch_stripe_resources',
    write:
      'create_customer create_product create_price create_payment_link create_invoice_item finalize_invoice create_refund cancel_subscription update_subscription update_dispute create_coupon',
  },
  supabase: {
    read: 'list_organizations get_organization get_cost get_project_url get_anon_key list_extensions list_migrations get_logs get_advisors list_edge_functions generate_typescript_types',
    write: 'pause_project restore_project apply_migration deploy_edge_function rebase_branch confirm_cost',
    'write destroy': 'delete_branch merge_branch reset_branch',
  },
  cloudflare: {
    read: 'accounts_list kv_namespaces_list kv_namespace_get r2_buckets_list r2_bucket_get d1_databases_list workers_list workers_get_worker workers_get_worker_code hyperdrive_configs_list search_cloudflare_documentation container_file_read container_files_list',
    write:
      'set_active_account kv_namespace_create r2_bucket_create d1_database_create hyperdrive_config_edit container_file_write container_file_delete container_initialize',
    'write destroy': 'kv_namespace_delete r2_bucket_delete d1_database_delete',
    'read send': 'get_url_markdown get_url_screenshot',
    'read write compute': 'd1_database_query',
    'write compute execute': 'container_exec',
  },
  aws: {
    read: 'read_documentation search_documentation get_pricing list_buckets describe_log_groups analyze_log_group get_metric_data list_knowledge_bases QueryKnowledgeBases get_resource list_resources get_resource_schema_information',
    write: 'create_resource update_resource delete_resource put_object create_bucket',
    'write destroy': 'delete_bucket terminate_instances',
    'write compute execute': 'call_aws',
    'write compute': 'invoke_lambda',
    compute: 'suggest_aws_commands generate_image generate_diagram',
  },
  kubernetes: {
    read: 'kubectl_get kubectl_describe kubectl_logs pods_list pods_list_in_namespace pods_get pods_log pods_top resources_list resources_get namespaces_list events_list configuration_view explain_resource list_api_resources helm_list',
    write:
      'kubectl_apply kubectl_create kubectl_delete kubectl_scale kubectl_patch kubectl_rollout kubectl_context pods_delete resources_create_or_update resources_delete helm_install helm_uninstall install_helm_chart upgrade_helm_chart uninstall_helm_chart stop_port_forward port_forward node_management',
    'write compute execute': 'pods_exec pods_run exec_in_pod',
  },
  docker: {
    read: 'list_containers fetch_container_logs list_images list_networks list_volumes inspect_container docker_ps',
    write:
      'create_container recreate_container start_container stop_container remove_container pull_image build_image remove_image create_network remove_network create_volume',
    'write destroy': 'prune_images',
    'write compute execute': 'run_container',
    'write send': 'push_image',
  },
  gmail: {
    read: 'read_email search_emails list_email_labels download_attachment gmail_search_messages list_filters get_gmail_message_content gmail_get_thread',
    send: 'send_email gmail_send_message gmail_reply_to_message forward_email send_gmail_message',
    write:
      'draft_email modify_email delete_email create_label batch_modify_emails batch_delete_emails get_or_create_label create_filter gmail_create_draft gmail_archive_message trash_message',
  },
  google: {
    read: 'gdrive_search gdrive_read_file search_drive_files get_drive_file_content list_drive_items list_calendars list-events search-events get-freebusy get_events list-colors get_doc_content read_sheet_values list_spreadsheets',
    write:
      'create-event update-event delete-event create_drive_file create_doc modify_sheet_values create_spreadsheet modify_event',
    'write send': 'gdrive_upload_file share_drive_file upload_file respond-to-event',
  },
  discord: {
    read: 'read-messages discord_read_messages discord_get_server_info get_channels list_servers get_user_id_by_name',
    send: 'send-message discord_send discord_reply_to_forum send_private_message discord_create_forum_post send_webhook_message',
    write: 'discord_delete_message discord_add_reaction discord_create_text_channel add_role moderate_message create_category',
  },
  telegram: {
    read: 'get_chats get_messages list_contacts search_contacts get_history list_inline_buttons',
    send: 'send_message reply_to_message forward_message sendMessage sendPhoto',
    write:
      'edit_message delete_message mark_as_read pin_message ban_user mute_chat leave_chat create_group block_user archive_chat',
    'write send': 'invite_to_group',
  },
  twilio: {
    send: 'send_sms make_call TwilioApiV2010--CreateMessage',
    read: 'list_messages get_call_log fetch_account',
  },
  email: {
    send: 'send-email send_mail notify_user',
    write: 'flag_email move_email',
  },
  hubspot: {
    read: 'hubspot-list-objects hubspot-search-objects hubspot-batch-read-objects hubspot-get-user-details hubspot-list-associations hubspot_get_active_companies hubspot-get-schemas',
    write:
      'hubspot-batch-create-objects hubspot-batch-update-objects hubspot-create-engagement hubspot-update-property hubspot_create_contact hubspot-batch-create-associations',
  },
  shopify: {
    read: 'get-products get-product-by-id get-customers get-orders get-order-by-id search_dev_docs introspect_admin_schema search_shop_catalog get_cart',
    write: 'createProduct update-customer update-order manage-product-variants update_cart',
  },
  figma: {
    read: 'get_figma_data get_code get_screenshot get_metadata get_variable_defs get_code_connect_map get_document_info get_selection get_node_info scan_text_nodes get_local_components',
    'read write': 'download_figma_images',
    write:
      'create_rectangle create_frame create_text set_fill_color move_node resize_node delete_node set_text_content clone_node set_corner_radius set_multiple_text_contents join_channel',
    compute: 'create_design_system_rules',
  },
  obsidian: {
    read: 'obsidian_list_files_in_vault obsidian_get_file_contents obsidian_simple_search obsidian_complex_search obsidian_get_recent_changes obsidian_batch_get_file_contents read_note search_notes',
    write: 'obsidian_append_content obsidian_patch_content obsidian_delete_file create_note obsidian_put_content rename_tag',
  },
  airtable: {
    read: 'list_bases list_records search_records get_record',
    write: 'create_record update_records delete_records create_field update_table',
  },
  mongodb: {
    read: 'find aggregate count collection-schema collection-indexes collection-storage-size db-stats list-collections list-databases mongodb-logs explain',
    write:
      'insert-many update-many delete-many create-collection create-index drop-collection rename-collection connect switch-connection atlas-create-cluster atlas-create-db-user',
    'write destroy': 'drop-database',
    'read write': 'export',
  },
  redis: {
    read: 'get hget hgetall lrange smembers scan_keys type dbsize client_list info llen zrange json_get xrange',
    write: 'set hset lpush sadd delete expire rename hdel zadd json_set srem xadd',
    'write send': 'publish',
    'read write': 'lpop rpop',
  },
  elasticsearch: {
    read: 'list_indices get_mappings search esql get_shards cat_indices',
    write: 'create_index delete_by_query',
    compute: 'ask_ai_assistant',
  },
  grafana: {
    read: 'search_dashboards get_dashboard_by_uid list_datasources query_prometheus list_prometheus_metric_names query_loki_logs list_loki_label_values list_alert_rules list_incidents get_incident list_oncall_schedules get_current_oncall_users find_error_pattern_logs find_slow_requests get_sift_analysis generate_deeplink',
    write: 'update_dashboard create_incident add_activity_to_incident create_folder',
  },
  datadog: {
    read: 'get_monitors list_hosts query_metrics list_traces list_dashboards search_logs list_downtimes get_total_active_hosts_count',
    write: 'mute_host unmute_host schedule_downtime cancel_downtime',
  },
  pagerduty: {
    read: 'list_services list_oncalls get_incident_notes get_past_incidents list_escalation_policies list_user_groups',
    write: 'manage_incidents add_responders create_schedule_override start_incident_workflow',
    'write send': 'add_note_to_incident create_status_page_post',
  },
  desktop: {
    'write compute execute':
      'execute_command start_process run_command shell bash run_python execute_code run_script interact_with_process run_terminal_cmd eval terminal execute_python_code shell_execute',
    'write compute': 'force_execute',
    read: 'list_processes read_process_output list_sessions get_config get_usage_stats start_search list_searches',
    write: 'kill_process force_terminate set_config_value edit_block stop_search write_pdf',
    'write send': 'give_feedback_to_desktop_commander',
  },
  code: {
    read: 'resolve-library-id get-library-docs find_symbol find_referencing_symbols get_symbols_overview list_dir search_for_pattern read_memory list_memories view_diff codebase_search grep',
    write:
      'replace_symbol_body insert_after_symbol write_memory delete_memory rename_symbol switch_modes activate_project onboarding create_text_file apply_patch str_replace_editor',
    'write compute execute': 'execute_shell_command run_tests run-test-suite',
    compute:
      'calculate evaluate_expression validate_schema think generate_uuid format_code solve_equation render_chart translate_text embed_text count_tokens convert_currency lint_file hash_string base64_encode encode_url',
  },
  social: {
    read: 'search_tweets get_user_timeline get_trending_topics get_video_transcript youtube_get_comments reddit_get_subreddit_posts',
    send: 'post_tweet create_tweet reply_to_tweet create_post send_dm broadcast_message',
    write: 'like_tweet follow_user delete_tweet retweet',
  },
  web: {
    send: 'http_post post_webhook trigger_webhook http_put',
    'read send': 'http_request http_get fetch_url make_request visit_page open_url scrape_webpage curl',
  },
  home: {
    read: 'get_entity_state list_devices get_weather get_forecast get_alerts list_automations',
    write: 'turn_on turn_off control_light set_temperature lock_door call_service toggle_switch activate_scene',
  },
  payments: {
    read: 'get_balance get_transaction list_transactions',
    write: 'transfer_funds create_order pay_invoice place_order cancel_order buy_stock withdraw',
  },
  // Made up: names that begin as if they only read.
  deceiving: {
    'read send':
      'download_to_email getSMSsend slack_get_post_message dump_to_url cat_to_remote watch_and_alert lookup_call_phone capture_and_stream proxy_get',
    'read write': 'get_from_and_wire_money read_transfer_funds list_pay',
    'read write send': 'get_report_submit get_signed_url_put export_to_s3',
    read: 'email_read dns_lookup view_image_url',
  },
};

export interface LabelledTool {
  readonly server: string;
  readonly name: string;
  readonly categories: readonly Category[];
}

/** All rows, in the order in which they are written. */
export const LABELLED_TOOLS: readonly LabelledTool[] = Object.entries(BY_SERVER).flatMap(([server, byLabel]) =>
  Object.entries(byLabel).flatMap(([label, names]) => {
    const words = label.split(' ');
    const categories = CATEGORIES.filter((category) => words.includes(category));
    return names.split(' ').map((name) => ({ server, name, categories }));
  }),
);
