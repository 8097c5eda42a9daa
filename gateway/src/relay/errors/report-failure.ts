import { logType, storedPhrase, writeLogDetails } from '@tollgate/contract'

import { disableChannel } from '../../channels/channel-status'
import type { LogEntry } from '../../billing/ledger/ledger'
import type { Choice } from '../../channels/catalog/catalog'
import { adminInfo, callFacts } from '../call-log'
import { errorTypeOf, failureOf, upstreamCode, upstreamSentence } from './failure'
import { keyName } from '../../channels/catalog/channel-keys'
import { mask } from '../../platform/text/mask'
import { shouldDisable } from '../../channels/calls/classify-failure'
import type { IncomingCall } from '../call'
import type { CallContext } from '../call-context'
import type { UpstreamError } from '../../channels/calls/upstream-error'
import { markCappedUsage } from '../../channels/capped-usage'
import type { CappedCounts } from '../../billing/metering/meter'

/** The call of a failed attempt. */
export interface FailedCall extends Pick<CallContext, 'deps' | 'caller' | 'records'> {
  readonly call: IncomingCall
  readonly view: Pick<CallContext['view'], 'model' | 'isStream'>
}

/**
 * Reports a failed attempt to the operator: an error in the hourly rollup, a log row where configured, and a channel or key that is
 * disabled.
 */
export function reportFailure(context: FailedCall, choice: Choice, error: UpstreamError): void {
  const { ctx } = context.deps
  const { options } = context.call.catalog
  const { channel, key } = choice
  const message = mask(error.message, error.secrets)
  ctx.log.warn(
    { requestId: context.call.requestId, channel: channel.id, status: error.status, fault: error.fault, message },
    'an upstream call failed',
  )
  if (error.fault !== 'abandoned') {
    if (!error.isOfClient)
      ctx.health.failures.note(channel.id, keyName(channel, key), {
        at: ctx.clock.seconds(),
        status: error.status,
        fault: error.fault,
        message,
        model: choice.model,
      })
    ctx.ledger.record(context.call.requestId, errorEntry(context, choice, error, message), options.LogErrorEnabled)
  }
  if (options.AutomaticDisableChannelEnabled && channel.autoBan && shouldDisable(error, options)) {
    const beganAtMs = ctx.clock.now() - (ctx.clock.monotonic() - context.call.startedAt)
    disableChannel(ctx, channel.id, { reason: message, keyFingerprint: key.fingerprint, beganAtMs }).catch(
      (cause: unknown) =>
        ctx.log.error(
          { error: cause, requestId: context.call.requestId, channel: channel.id },
          'a channel could not be disabled',
        ),
    )
  }
}

/** Users read these rows: the upstream's own message, which may name its hosts and accounts, is for administrators only. */
function errorEntry(context: FailedCall, { channel }: Choice, error: UpstreamError, message: string): LogEntry {
  const { call, caller, view, deps } = context
  const code = upstreamCode(error)
  const { status } = failureOf(error, call)
  return {
    createdAt: deps.ctx.clock.seconds(),
    type: logType.error,
    userId: caller.account.id,
    username: caller.account.username,
    tokenId: caller.key?.id ?? 0,
    tokenName: caller.tokenName,
    modelName: view.model,
    group: caller.group,
    channelId: channel.id,
    channelName: channel.name,
    isStream: view.isStream,
    useTimeSeconds: Math.round((deps.ctx.clock.monotonic() - call.startedAt) / 1000),
    promptTokens: 0,
    completionTokens: 0,
    content: storedPhrase(upstreamSentence(error), { status: error.status }),
    errorCode: code,
    clientIp: caller.account.isIpLogged ? call.clientIp : '',
    other: writeLogDetails({
      ...callFacts({ call, clock: deps.ctx.clock }),
      error_type: errorTypeOf(error),
      error_code: code,
      status_code: error.status,
      ...(status !== error.status && { caller_status: status }),
      channel_id: channel.id,
      channel_name: channel.name,
      channel_type: channel.provider.type,
      admin_info: {
        ...adminInfo(context.records),
        upstream_error: {
          message,
          type: mask(error.type, error.secrets),
          code: mask(error.code, error.secrets),
        },
      },
    }),
  }
}

/** Reports that an upstream's usage is implausible: in the log, in the metrics and at the channel. */
export function reportCapped(
  { deps: { ctx }, call }: Pick<CallContext, 'deps' | 'call'>,
  { channel }: Choice,
  reported: CappedCounts,
): void {
  const about = { requestId: call.requestId, channel: channel.id }
  ctx.log.warn({ ...about, reported }, 'an upstream reported more than the call can have used')
  ctx.metrics.usageCapped(Object.keys(reported))
  markCappedUsage(ctx, channel.id).catch((error: unknown) =>
    ctx.log.error({ ...about, error }, 'a channel could not be marked'),
  )
}
