import {
  logType,
  storedPhrase,
  withLogDetails,
  writeLogDetails,
  type OptionValues,
  type PhraseParams,
} from '@tollgate/contract'
import { DialectError } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { Clock } from '../../platform/time/clock'
import type { LogEntry } from '../../billing/ledger/ledger'
import type { IncomingCall } from '../call'
import { callFacts } from '../call-log'
import { errorTypeOf, failureOf } from '../errors/failure'

/** The call of a row. */
export interface RefusedCall extends Omit<IncomingCall, 'catalog'> {
  readonly catalog: { readonly options: Pick<OptionValues, 'LogErrorEnabled'> }
}

/** Returns the row of a refused call. It counts as no failed attempt: it has no `errorCode`, and says what it is in `refused_calls`. */
export function refusalEntry(error: unknown, call: RefusedCall, clock: Clock): LogEntry {
  const { caller, model } = call.findings
  const { status, type } = failureOf(error, call)
  const code = errorTypeOf(error)
  return {
    createdAt: clock.seconds(),
    type: logType.error,
    userId: caller?.account.id ?? 0,
    username: caller?.account.username ?? '',
    tokenId: caller?.key?.id ?? 0,
    tokenName: caller?.tokenName ?? '',
    modelName: model.slice(0, maxNameLength),
    group: caller?.group ?? '',
    channelId: 0,
    channelName: '',
    isStream: false,
    useTimeSeconds: Math.round((clock.monotonic() - call.startedAt) / 1000),
    promptTokens: 0,
    completionTokens: 0,
    content: contentOf(error, code),
    clientIp: isAddressLogged(call, code) ? call.clientIp : '',
    other: writeLogDetails({
      ...callFacts({ call, clock }),
      error_type: type,
      error_code: code,
      status_code: status,
      refused_calls: 1,
      limit_owner: limitOwnerOf(error),
    }),
  }
}

/** Returns the row that stands for several calls like this one. */
export const standingFor = (count: number, entry: LogEntry): LogEntry => ({
  ...entry,
  other: withLogDetails(entry.other, { refused_calls: count }),
})

/** Returns whose limit refused the call. */
function limitOwnerOf(error: unknown): string | undefined {
  const owner = error instanceof AppError ? error.params['owner'] : undefined
  return typeof owner === 'string' ? owner : undefined
}

/** Users decide whether their address is logged; that of an unknown caller, and one for which a call was refused, always is. */
const isAddressLogged = ({ findings: { caller } }: RefusedCall, code: string): boolean =>
  caller === null || caller.account.isIpLogged || code === 'caller.ip'

function contentOf(error: unknown, code: string): string {
  if (error instanceof AppError) return storedPhrase(error.code, shortenParams(error.params))
  if (error instanceof DialectError) return error.message.slice(0, maxTextLength)
  return storedPhrase(code === 'db.down' ? 'db.down' : 'server.error')
}

/** A request may quote names of any length. */
const shortenParams = (params: PhraseParams): PhraseParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, maxNameLength) : value,
    ]),
  )

const maxNameLength = 200
const maxTextLength = 500
