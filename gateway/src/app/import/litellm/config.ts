import { readFileSync } from 'node:fs'

import { z } from 'zod'

import { messageOf } from '../../../platform/text/message-of'
import { ImportError } from '../import-error'

/** Values in a file may be numbers where a text is meant. */
const Text = z.union([z.string(), z.number().transform(String)])
const Price = z.coerce.number().min(0)

/** Where the calls of a model go. */
const Params = z.object({
  model: Text,
  api_key: Text.optional(),
  api_base: Text.optional(),
  base_url: Text.optional(),
  api_version: Text.optional(),
  organization: Text.optional(),
  aws_access_key_id: Text.optional(),
  aws_secret_access_key: Text.optional(),
  aws_region_name: Text.optional(),
  vertex_location: Text.optional(),
  vertex_credentials: z.unknown().optional(),
  weight: z.coerce.number().optional(),
  rpm: z.unknown().optional(),
  tpm: z.unknown().optional(),
  input_cost_per_token: Price.optional(),
  output_cost_per_token: Price.optional(),
})

const Model = z.object({
  model_name: Text,
  litellm_params: Params,
  model_info: z.object({ input_cost_per_token: Price.optional(), output_cost_per_token: Price.optional() }).nullish(),
})
export type ConfiguredModel = z.output<typeof Model>

const Fallbacks = z.array(z.record(z.string(), z.array(Text))).nullish()
const Routing = z
  .object({
    fallbacks: Fallbacks,
    context_window_fallbacks: Fallbacks,
    content_policy_fallbacks: Fallbacks,
    model_group_alias: z.record(z.string(), z.unknown()).nullish(),
  })
  .nullish()

/** What is read of LiteLLM's file: https://docs.litellm.ai/docs/proxy/configs */
const Config = z.object({
  model_list: z.array(Model).default([]),
  router_settings: Routing,
  litellm_settings: Routing,
  general_settings: z.object({ master_key: Text.optional(), database_url: Text.optional() }).nullish(),
})
export type LiteLlmConfig = z.output<typeof Config>

export const isConfigFile = (name: string): boolean => /\.ya?ml$/i.test(name)

/** Reads the file of LiteLLM's proxy. @throws ImportError where there is none, or it is of something else. */
export function readConfigFile(path: string): LiteLlmConfig {
  const config = Config.safeParse(parse(path))
  if (config.success && config.data.model_list.length > 0) return config.data
  const reason = config.success ? 'it has no model_list' : z.prettifyError(config.error)
  throw new ImportError(`${path} is not a config.yaml of LiteLLM: ${reason}`)
}

function parse(path: string): unknown {
  try {
    return Bun.YAML.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ImportError(`${path} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns a value of the file, or the variable of the environment that it names as `os.environ/NAME`; empty: there is none. */
export function valueOf(text: string | undefined, environment: Environment): string {
  const name = /^os\.environ\/(.+)$/.exec(text ?? '')?.[1]
  return (name === undefined ? text : environment[name])?.trim() ?? ''
}
