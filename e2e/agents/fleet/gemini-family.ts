import { mcpServers, type Agent } from '../agent'

interface Member extends Pick<Agent, 'name' | 'package' | 'env' | 'search'> {
  /** The folder of its settings. */
  readonly folder: string
  readonly auth: string
  /** Arguments by which it goes on with the last conversation. */
  readonly resume: readonly string[]
  readonly args?: readonly string[]
  /** Arguments of its shell beside the command. */
  readonly shell?: object
}

const member = ({ folder, auth, resume, args = [], shell = {}, ...agent }: Member): Agent => ({
  ...agent,
  files: (place) => ({
    [`${folder}/settings.json`]: JSON.stringify({
      mcpServers: mcpServers(place),
      security: { auth: { selectedType: auth } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    }),
  }),
  args: (prompt, isNext, { model }) => [
    ...(isNext ? resume : []),
    '--prompt',
    prompt,
    '--model',
    model,
    '--approval-mode',
    'yolo',
    ...args,
  ],
  shell: { tool: /^run_shell_command$/, arguments: (command) => ({ command, ...shell }) },
})

/** Google's agent, and one that was made of it. */
export const geminiFamily: readonly Agent[] = [
  member({
    name: 'Gemini CLI',
    package: { from: 'npm', name: '@google/gemini-cli', program: 'gemini' },
    folder: '.gemini',
    auth: 'gemini-api-key',
    env: ({ url, key }) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url }),
    resume: ['--resume', 'latest'],
    args: ['--skip-trust'],
  }),
  member({
    name: 'Qwen Code',
    package: { from: 'npm', name: '@qwen-code/qwen-code', program: 'qwen' },
    folder: '.qwen',
    auth: 'openai',
    // It takes its proxy for addresses of the machine too.
    env: ({ url, key, model }) => ({
      HTTPS_PROXY: '',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: key,
      OPENAI_MODEL: model,
    }),
    resume: ['--continue'],
    shell: { is_background: false },
    search: { tool: /^tool_search$/, arguments: (name) => ({ query: `select:mcp__tickets__${name}` }) },
  }),
]
