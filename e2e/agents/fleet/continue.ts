import type { Agent } from '../agent'

const continueAgent = (provider: string): Agent => ({
  name: `Continue (${provider})`,
  package: { from: 'npm', name: '@continuedev/cli', program: 'cn' },
  files: ({ url, key, model, tickets: [command, ...args] }) => ({
    // YAML reads JSON.
    'config.yaml': JSON.stringify({
      name: 'gateway',
      version: '1.0.0',
      schema: 'v1',
      models: [{ name: model, provider, model, apiKey: key, apiBase: `${url}/v1/`, capabilities: ['tool_use'] }],
      mcpServers: [{ name: 'tickets', command, args }],
    }),
  }),
  env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_CLI_AUTO_UPDATED: '1' }),
  args: (prompt, isNext, { home }) => [
    ...(isNext ? ['--resume'] : []),
    '--config',
    `${home}/config.yaml`,
    '--auto',
    '--print',
    prompt,
  ],
  shell: { tool: /^Bash$/, arguments: (command) => ({ command }) },
})

export const continues: readonly Agent[] = [continueAgent('openai'), continueAgent('anthropic')]
