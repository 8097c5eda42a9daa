import type { Agent } from '../agent'
import { connectLines, fileOf } from '../connect-lines'

export const codex: Agent = {
  name: 'Codex',
  package: { from: 'npm', name: '@openai/codex', program: 'codex' },
  files: ({ tickets: [command, ...args], ...place }) => ({
    '.codex/config.toml': [
      'model_reasoning_effort = "low"',
      'model_reasoning_summary = "auto"',
      'check_for_update_on_startup = false',
      fileOf(connectLines('codex', place), '.codex/config.toml'),
      '[analytics]',
      'enabled = false',
      '[mcp_servers.tickets]',
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      // Otherwise the first request goes out before the server is ready.
      'required = true',
      'startup_timeout_sec = 60',
    ].join('\n'),
  }),
  env: (place) => connectLines('codex', place).env,
  args: (prompt, isNext) => [
    'exec',
    ...(isNext ? ['resume', '--last'] : []),
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    prompt,
  ],
  shell: { tool: /^exec_command$/, arguments: (cmd) => ({ cmd }) },
}
