import type { Agent } from '../agent'
import { connectLines } from '../connect-lines'

export const aider: Agent = {
  name: 'aider',
  package: { from: 'pypi', name: 'aider-chat', program: 'aider' },
  env: (place) => ({
    ...connectLines('aider', place).env,
    AIDER_ANALYTICS_DISABLE: 'true',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  }),
  args: (prompt, isNext, { model }) => [
    '--model',
    `openai/${model}`,
    '--edit-format',
    'whole',
    '--yes-always',
    '--no-git',
    '--no-check-update',
    '--no-show-model-warnings',
    '--no-analytics',
    '--no-pretty',
    '--no-browser',
    '--no-gui',
    '--map-tokens',
    '0',
    ...(isNext ? ['--restore-chat-history'] : []),
    '--message',
    prompt,
  ],
  fileText: (path, content) => `${path}\n\`\`\`\n${content}\n\`\`\`\n`,
}
