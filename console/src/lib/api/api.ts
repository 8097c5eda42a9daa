import {
  addressOf,
  ApiError,
  createClient,
  parseBody,
  parseResult,
  role,
  type ApiResult,
  type Client,
  type FileRoute,
  type Route,
  type RouteResult,
  type RouteSent,
} from '@tollgate/contract'

import { actEnded, keyOfAct } from './act-keys'
import { forget, preloadedBody, preloadedResponse, preloadKey } from './preload'
import { currentLanguage, translate } from '../text/i18n'
import { storedUser, viewedUser } from './session'
import { completeSignIn, requestProof } from './verification'

/** Called without arguments. */
type Listener = () => void

let onSignedOut: Listener = () => {}

/** Sets what happens when a session has ended. */
export function whenSignedOut(listener: Listener): void {
  onSignedOut = listener
}

let onForbidden: Listener = () => {}

/** Sets what happens when a call is refused although the page offered it: the account's permissions have changed. */
export function whenForbidden(listener: Listener): void {
  onForbidden = listener
}

let onFactorNeeded: Listener = () => {}

/** Sets what happens when calls are refused until the reader sets up a second factor. */
export function whenFactorNeeded(listener: Listener): void {
  onFactorNeeded = listener
}

const client = ({ isViewable }: Route, signal?: AbortSignal): Client =>
  createClient({
    baseUrl: location.origin,
    userId: storedUser.get()?.id,
    viewAs: isViewable ? viewedUser?.id : undefined,
    language: currentLanguage(),
    fetch: (request) => preloadedResponse(request) ?? fetch(request, { signal }),
  })

/** Returns the result of a call that was made before this code had loaded and has succeeded; only once. */
export function takePreloaded<R extends Route>(route: R, input: RouteSent<R> = {}): ApiResult<R> | undefined {
  if (route.method !== 'GET') return undefined
  const key = preloadKey(addressOf(route, input), storedUser.get()?.id, currentLanguage())
  const body = preloadedBody(key)
  const result = body && parseBody(route, body)
  if (!result) return undefined
  forget(key)
  return result
}

/**
 * Makes a console call and resolves with its `data`.
 * @throws ApiError with a sentence in the reader's language, whatever went wrong.
 */
export const call = async <R extends Route>(
  route: R,
  input?: RouteSent<R>,
  signal?: AbortSignal,
): Promise<RouteResult<R>> => (await callWhole(route, input, signal)).data

/** Makes a call and resolves with the whole response, including fields beside `data`. */
export async function callWhole<R extends Route>(
  route: R,
  input?: RouteSent<R>,
  signal?: AbortSignal,
): Promise<ApiResult<R>> {
  checkViewable(route)
  try {
    return await sendRequest(route, input, signal)
  } catch (error) {
    const completed = await completedSignIn(error)
    // Every call refused like this responds with the signed-in user.
    if (completed) return parseResult(route, completed.user, completed.envelopeFields)
    const proof = await proofFor(error, route)
    if (proof === null || input?.stepUpProof !== undefined) throw toApiError(error)
    return callWhole(route, { ...input, stepUpProof: proof }, signal)
  }
}

/** Sends a call. One that changes something names its act, so that its repetition after a lost response has no second effect. */
async function sendRequest<R extends Route>(
  route: R,
  input: RouteSent<R> | undefined,
  signal: AbortSignal | undefined,
): Promise<ApiResult<R>> {
  const send = (more?: Pick<RouteSent<R>, 'idempotencyKey'>) =>
    client(route, signal).callWhole(route, more ? { ...input, ...more } : input)
  if (route.method === 'GET' || route.access === 'guest' || route.isRepeatable) return send()
  const { params, query, body } = input ?? {}
  const act = JSON.stringify([route.method, route.path, params, query, body])
  const idempotencyKey = keyOfAct(act)
  try {
    const result = await send({ idempotencyKey })
    actEnded(act, idempotencyKey, undefined)
    return result
  } catch (error) {
    actEnded(act, idempotencyKey, error)
    throw error
  }
}

/** Completes a sign-in that requires a second factor; null for any other error, and when the reader cancels. */
async function completedSignIn(error: unknown) {
  const neededFactor =
    error instanceof ApiError && error.code === 'login.second_factor' ? error.secondFactor : undefined
  const user = neededFactor && (await completeSignIn(neededFactor))
  return user
    ? { user, envelopeFields: { action: 'login', message: '', return_to: neededFactor.return_to ?? null } }
    : null
}

/** Refuses calls other than viewing while the console is seen as another user. */
function checkViewable({ access, isViewable }: Route): void {
  if (!viewedUser || isViewable || access === 'guest') return
  throw new ApiError(translate('common:error.viewing'), 403, 'auth.forbidden', undefined)
}

/** Asks the reader for the proof that a refused call requires; null for any other error, and when they cancel. */
async function proofFor(error: unknown, { stepUp }: Route): Promise<string | null> {
  const isStepUpRequired = error instanceof ApiError && error.code === 'auth.step_up' && stepUp !== undefined
  return isStepUpRequired ? requestProof(stepUp.purpose) : null
}

/**
 * Requests a file; its body may still be arriving.
 * @throws ApiError as `call` does.
 */
export async function download<R extends FileRoute>(route: R, input?: RouteSent<R>): Promise<Response> {
  try {
    checkViewable(route)
    return await client(route).download(route, input)
  } catch (error) {
    const proof = await proofFor(error, route)
    if (proof === null || input?.stepUpProof !== undefined) throw toApiError(error)
    return download(route, { ...input, stepUpProof: proof })
  }
}

/** Converts any error to an ApiError with a sentence for the reader; also notices an ended session. */
export function toApiError(error: unknown): ApiError {
  if (!(error instanceof ApiError)) return new ApiError(translate('error.network'), 0, undefined, undefined)
  if (error.status === 401 && storedUser.get()) {
    storedUser.clear()
    onSignedOut()
  }
  if (error.code === 'auth.forbidden') onForbidden()
  if (error.code === 'auth.factor_needed') onFactorNeeded()
  return new ApiError(sentenceOf(error), error.status, error.code, error.requestId, error.field, error.secondFactor)
}

/** The specification's sentences for a status take precedence over the server's. */
function sentenceOf({ status, code, message, requestId }: ApiError): string {
  switch (status) {
    // Converted already: no response.
    case 0:
      return message
    case 405:
      return code === 'demo.read_only' || !code ? translate('error.demo') : message
    case 429:
      return translate('error.rateLimited')
    case 500:
      if (!isAdministrator()) return translate('error.server')
      // Without an id it was a proxy that responded, and the gateway's log says nothing.
      return requestId ? translate('error.serverForAdmin') : translate('error.status', { status })
    case 200:
      // Without an error code of ours, the response was cut off.
      return code && message ? message : translate('error.network')
    default:
      return code && message ? message : translate('error.status', { status })
  }
}

/** Administrators read where to look instead of whom to ask. */
const isAdministrator = (): boolean => (storedUser.get()?.role ?? 0) >= role.admin
