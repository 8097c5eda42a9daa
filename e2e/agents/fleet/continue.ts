import type { Agent } from '../agent'
import { connectLines, fileOf } from '../connect-lines'

const continueAgent = (provider: string): Agent => ({
  name: `Continue (${provider})`,
  package: { from: 'npm', name: '@continuedev/cli', program: 'cn' },
  files: ({ tickets: [command, ...args], ...place }) => ({
    'config.yaml': [
      fileOf(connectLines('continue', place), '.continue/config.yaml').replace(
        'provider: openai',
        `provider: ${provider}`,
      ),
      // YAML reads JSON.
      `mcpServers: ${JSON.stringify([{ name: 'tickets', command, args }])}`,
    ].join('\n'),
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
