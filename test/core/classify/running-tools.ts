/**
 * Names under which tools run commands or code that they are given: in MCP servers, in agents, and as somebody would name the next one. Written
 * before the classifier knew of them, those of the last lines after it had been made for the others. Where a name tells nothing, the parameters behind the slash have to.
 */
const NAMES = `
Bash Terminal Shell run_process start_process spawn_process kubectl docker_run docker_exec AppleScript execute_applescript osascript
run_shell_command run_terminal_cmd run_in_terminal execute_command executeCommand exec_command local_shell write_stdin container.exec
developer__shell execute_bash executeBash execute_ipython_cell run_in_bash_session write_bash write_powershell powershell PowerShell pwsh
invoke_powershell Invoke-PowerShell run_powershell_script cmd cmd_exec windows_cmd ssh ssh_exec ssh_execute_command ssh_run remote_command
remote_exec run_remote_command exec_in_container exec_in_pod pods_exec kubectl_exec kubectl_run k8s_exec podman_exec compose_exec
run_container_command python python_exec run_python execute_python python_repl PythonREPL python_interpreter code_interpreter
run_python_code run_code execute_code code_execution code_exec codeRunner code_runner run_script execute_script execute-script runScript
run_javascript execute_js run_js node node_eval node_repl execute_typescript deno_run run_ruby perl_eval lua_exec run_lua
jupyter_execute_cell execute_cell run_cell notebook_execute_cell insert_execute_code_cell eval eval_expression_shell shell_eval
terminal_execute terminal_exec execute_terminal_command terminal_run send_terminal_input terminal_write write_to_terminal send_keys_to_terminal
tmux_send_keys tmux_execute_command iterm_run zsh fish sh shell_tool ShellTool shell_command shellExec safe_shell run_safe_command
cli cli_exec cli_mcp_run_command command command_runner command_exec run_commands execute_commands batch_commands run_command_async
background_command run_background_command launch_process create_process process_start process_exec subprocess_run run_subprocess
sudo_exec run_as_root sudo system_exec os_system exec_shell shell_execute_async spawn_shell open_shell new_terminal create_terminal
interact_with_process send_process_input adb_shell adb_exec run_adb_command git_command run_git_command git_exec npm_run npm_exec npx_run
run_npm_script make_run run_make terraform run_terraform ansible_run_playbook run_playbook gcloud run_gcloud_command az_cli azure_cli_execute
aws_cli aws_cli_pipeline call_aws use_aws helm_exec run_binary run_executable execute_program run_program execute_file run_applescript
applescript_execute jxa_run run_jxa automator_run macos_shell mac_terminal wsl_exec bash_tool bash_20250124 wsl_bridge_execute
execute_blender_code execute_unity_code run_matlab_code execute_r_code run_sandbox_code sandbox_exec sandbox_run_code e2b_run_code
daytona_exec vm_exec exec execute Execute run repl console_exec run_console_command rails_console tinker php_artisan_tinker psql_exec
mongo_shell redis_cli run_rake run_cmd RunCmd doShell perform_shell exec_pipeline_script remote_shell reverse_shell web_shell
run_one_liner execute_oneliner gdb_command lldb_execute msf_console_execute nmap_command run_cli_tool_command system_shell_run
docker_compose_up compose_up npm_install pip_install cargo_build pytest run_pytest gradle_build mvn brew_install apt_install launchctl
octave_run unreal_python run_project frida_run chrome_evaluate browser_evaluate page_evaluate puppeteer_evaluate debug_evaluate run_macro
autohotkey_run run_remote winrm psexec dotnet_run run_build run_lint run_task run_tests execute_task terraform_apply tofu_apply helm_install
helm_upgrade ansible_playbook pty_write popen javascript_tool poetry_run rake_task drush composer_run compile_and_run run_in_background run_batch
batch_execute run_application startDebugging launch_debugger execute_run_configuration pods_run pulumi_up run_shortcut shortcuts_run
elisp_eval codex claude_code wasm_run run_exploit launch_mac_app Launch-Tool install_helm_chart install_dependencies deploy-compose
ansible_ad_hoc send-keys ansible_adhoc make lambda_invoke invoke_expression vm_run crontab_set trigger_pipeline triggerBuild xp_cmdshell nohup
modal_run screen_stuff
`
  .trim()
  .split(/\s+/);

/** Tools whose names tell nothing, or something else, and what the text is that they run. */
const BY_PARAMETERS: readonly (readonly [name: string, parameter: string])[] = [
  ['weather', 'command'],
  ['imagemagick', 'args'],
  ['image_of', 'dockerfile'],
  ['helper', 'cmd'],
  ['do_it', 'shell_command'],
  ['get_notes', 'command'],
  ['lookup', 'argv'],
  ['assistant', 'bash_command'],
  ['workspace', 'commandLine'],
  ['automation', 'shellScript'],
  ['list_files', 'cmd'],
  ['compute', 'python_code'],
  ['task', 'script'],
  ['computer', 'commands'],
  ['get_status', 'exec'],
];

export interface RunningTool {
  readonly name: string;
  /** A parameter that is a text. */
  readonly parameter?: string;
}

export const RUNNING_TOOLS: readonly RunningTool[] = [
  ...NAMES.map((name) => ({ name })),
  ...BY_PARAMETERS.map(([name, parameter]) => ({ name, parameter })),
];
