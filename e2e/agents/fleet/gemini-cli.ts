import { mcpServers, type Agent } from '../agent'

export const geminiCli: Agent = {
  name: 'Gemini CLI',
  package: { from: 'npm', name: '@google/gemini-cli', program: 'gemini' },
  files: (place) => ({
    '.gemini/settings.json': JSON.stringify({
      mcpServers: mcpServers(place),
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    }),
  }),
  env: ({ url, key }) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url }),
  args: (prompt, isNext, { model }) => [
    ...(isNext ? ['--resume', 'latest'] : []),
    '--prompt',
    prompt,
    '--model',
    model,
    '--approval-mode',
    'yolo',
    '--skip-trust',
  ],
  shell: { tool: /^run_shell_command$/, arguments: (command) => ({ command }) },
}
