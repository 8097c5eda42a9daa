import type { Agent } from '../agent'

const functions = `
import subprocess

def lookup_ticket(id: str) -> str:
    "Look up a ticket"
    return f"Ticket {id} is amber"

def run(command: str) -> str:
    "Run a command"
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout
`

export const llm: Agent = {
  name: 'llm',
  package: { from: 'pypi', name: 'llm', program: 'llm' },
  files: ({ url, key, model }) => ({
    'functions.py': functions,
    // YAML reads JSON.
    'llm/extra-openai-models.yaml': JSON.stringify([
      {
        model_id: 'gateway',
        model_name: model,
        api_base: `${url}/v1`,
        api_key_name: 'gateway',
        supports_tools: true,
        reasoning: true,
      },
    ]),
    'llm/keys.json': JSON.stringify({ gateway: key }),
  }),
  env: ({ home }) => ({ LLM_USER_PATH: `${home}/llm` }),
  args: (prompt, isNext, { home }) => [
    'prompt',
    '--model',
    'gateway',
    '--functions',
    `${home}/functions.py`,
    ...(isNext ? ['--continue'] : []),
    prompt,
  ],
  shell: { tool: /^run$/, arguments: (command) => ({ command }) },
}
