import type { Agent } from '../agent'
import { connectLines, fileOf } from '../connect-lines'

const codexOver = (transport: 'HTTP' | 'WebSocket'): Agent => ({
  name: `Codex (${transport})`,
  isOnSocket: transport === 'WebSocket',
  package: { from: 'npm', name: '@openai/codex', program: 'codex' },
  files: ({ tickets: [command, ...args], ...place }) => ({
    '.codex/config.toml': [
      'model_reasoning_effort = "low"',
      'model_reasoning_summary = "auto"',
      'check_for_update_on_startup = false',
      // Ends with the table of the gateway.
      fileOf(connectLines('codex', place), '.codex/config.toml'),
      ...(transport === 'WebSocket' ? ['supports_websockets = true'] : []),
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
})

export const codexes: readonly Agent[] = [codexOver('HTTP'), codexOver('WebSocket')]
