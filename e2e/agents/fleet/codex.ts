import type { Agent } from '../agent'

export const codex: Agent = {
  name: 'Codex',
  package: { from: 'npm', name: '@openai/codex', program: 'codex' },
  files: ({ url, model, tickets: [command, ...args] }) => ({
    '.codex/config.toml': [
      `model = "${model}"`,
      'model_provider = "gateway"',
      'model_reasoning_effort = "low"',
      'model_reasoning_summary = "auto"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.gateway]',
      'name = "gateway"',
      `base_url = "${url}/v1"`,
      'env_key = "GATEWAY_KEY"',
      'wire_api = "responses"',
      '[mcp_servers.tickets]',
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      // Otherwise the first request goes out before the server is ready.
      'required = true',
      'startup_timeout_sec = 60',
    ].join('\n'),
  }),
  env: ({ key }) => ({ GATEWAY_KEY: key }),
  args: (prompt, isNext) => [
    'exec',
    ...(isNext ? ['resume', '--last'] : []),
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    prompt,
  ],
  shell: { tool: /^exec_command$/, arguments: (cmd) => ({ cmd }) },
}
