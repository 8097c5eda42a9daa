import type { Agent } from '../agent'
import { connectLines, fileOf } from '../connect-lines'

/** opencode speaks every dialect, each by a library of its own. */
const opencode = (library: string, path: string): Agent => ({
  name: `opencode (${library})`,
  package: { from: 'npm', name: 'opencode-ai', program: 'opencode' },
  files: ({ tickets, ...place }) => {
    const settings = JSON.parse(fileOf(connectLines('opencode', place), '.config/opencode/opencode.json'))
    const { gateway } = settings.provider
    return {
      '.config/opencode/opencode.json': JSON.stringify({
        ...settings,
        autoupdate: false,
        share: 'disabled',
        permission: { '*': 'allow' },
        provider: {
          gateway: {
            ...gateway,
            npm: `@ai-sdk/${library}`,
            options: { ...gateway.options, baseURL: `${place.url}${path}` },
          },
        },
        mcp: { tickets: { type: 'local', command: tickets, enabled: true } },
      }),
    }
  },
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  args: (prompt, isNext, { model }) => [
    'run',
    ...(isNext ? ['--continue'] : []),
    '--model',
    `gateway/${model}`,
    prompt,
  ],
  shell: { tool: /^bash$/, arguments: (command) => ({ command, description: 'Write the note' }) },
})

export const opencodes: readonly Agent[] = [
  opencode('openai-compatible', '/v1'),
  opencode('openai', '/v1'),
  opencode('anthropic', '/v1'),
  opencode('google', '/v1beta'),
]
