import { isSecretOption, optionKeys, optionText } from '@tollgate/contract'

import type { Config } from '../../platform/config/config'
import type { Context } from '../../context'
import type { FileResult } from '../../http/response/file-response'
import type { Call } from '../../http/handler'
import { hidden, redact } from '../../platform/telemetry/log/redact'
import { messageOf } from '../../platform/text/message-of'
import { examination } from './examination'
import { systemState } from './system-state'

/** A page of HTML or a list of prices helps support little, and may say much to those who should not read it. */
const maxTextLength = 2000
const minSecretLength = 6

/**
 * Returns what support needs to know, as one file. Secrets are left out of their fields, then masked by their form, and those of the
 * configuration and the options once more by their value.
 */
export async function supportBundle(call: Pick<Call, 'ctx' | 'site' | 'caller'>): Promise<FileResult> {
  const { ctx, site } = call
  const createdAt = new Date(ctx.clock.now()).toISOString()
  const content = {
    made_at: createdAt,
    system: await systemState(call),
    environment: shownConfig(ctx.config),
    doctor: await examination(ctx, 'en').catch((error: unknown) => ({ failure: messageOf(error) })),
    options: shownOptions(ctx),
    channels: await shownChannels(ctx),
    log: await site.workers.logLines(),
  }
  const text = withoutSecrets(`${redact(JSON.stringify(content, null, 2))}\n`, ctx)
  const name = `tollgate-support-${createdAt.slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')}.json`
  return { name, body: new Response(text).body ?? new ReadableStream() }
}

/** For what may be a secret, returns only whether it is set. */
const isSet = (value: string | undefined): string => (value ? '[set]' : '')

function shownConfig(config: Config) {
  const { databaseUrl, redisUrl, metricsToken, secretKey, previousSecretKey, traces, ...plain } = config
  return {
    ...plain,
    databaseUrl: isSet(databaseUrl),
    redisUrl: isSet(redisUrl),
    metricsToken: isSet(metricsToken),
    secretKey: isSet(secretKey),
    previousSecretKey: isSet(previousSecretKey),
    traces: traces && { ...traces, headers: Object.keys(traces.headers) },
  }
}

function shownOptions({ catalog }: Pick<Context, 'catalog'>): Record<string, string> {
  const { options } = catalog.current
  return Object.fromEntries(
    optionKeys.map((key) => {
      const text = optionText(key, options[key])
      if (isSecretOption(key)) return [key, isSet(text)]
      return [key, text.length > maxTextLength ? `[${text.length} characters]` : text]
    }),
  )
}

/** Without keys, and without what may contain a proxy's password or a header of the operator's own. */
async function shownChannels({ database }: Pick<Context, 'database'>) {
  const rows = await database.query
    .selectFrom('channels')
    .select(['id', 'name', 'type', 'status', 'group', 'models', 'base_url', 'priority', 'weight', 'tag'])
    .select(['auto_ban', 'created_time', 'response_time', 'model_mapping', 'param_override', 'setting'])
    .orderBy('id')
    .execute()
  return rows.map(({ model_mapping: mapping, param_override: override, setting, ...row }) => ({
    ...row,
    has_model_mapping: Boolean(mapping),
    has_param_override: Boolean(override),
    has_setting: Boolean(setting),
  }))
}

function withoutSecrets(text: string, { catalog, config }: Pick<Context, 'catalog' | 'config'>): string {
  const { options } = catalog.current
  const secrets = [
    config.secretKey,
    config.previousSecretKey,
    config.metricsToken,
    passwordIn(config.databaseUrl),
    passwordIn(config.redisUrl),
    ...Object.values(config.traces?.headers ?? {}),
    ...optionKeys.filter(isSecretOption).map((key) => optionText(key, options[key])),
  ]
  return secrets
    .filter((secret) => secret.length >= minSecretLength)
    .reduce((shown, secret) => shown.replaceAll(JSON.stringify(secret).slice(1, -1), hidden), text)
}

const passwordIn = (url: string): string => (url === '' ? '' : decodeURIComponent(new URL(url).password))
