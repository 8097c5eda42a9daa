import {
  ApiError,
  createClient,
  parsedAnswer,
  role,
  type ApiAnswer,
  type Client,
  type FileRoute,
  type Route,
  type RouteAnswer,
  type RouteSent,
} from '@tollgate/contract'

import { earlyAnswer } from './early'
import { currentLanguage, translate } from './i18n'
import { storedUser } from './session'
import { completeSignIn } from './second-factor'
import { askForProof } from './step-up'
import { viewedUser } from './viewed-user'

/** Called without anything to say but that it happened. */
type Listener = () => void

let onSignedOut: Listener = () => {}

/** Say what happens when a session has ended. */
export function whenSignedOut(listener: Listener): void {
  onSignedOut = listener
}

let onForbidden: Listener = () => {}

/** Say what happens when a call was refused that the page took for allowed: what the account may do has changed. */
export function whenForbidden(listener: Listener): void {
  onForbidden = listener
}

let onFactorNeeded: Listener = () => {}

/** Say what happens when a call was refused until the reader sets up a second factor. */
export function whenFactorNeeded(listener: Listener): void {
  onFactorNeeded = listener
}

const client = ({ isViewable }: Route, signal?: AbortSignal): Client =>
  createClient({
    baseUrl: location.origin,
    userId: storedUser.get()?.id,
    viewAs: isViewable ? viewedUser?.id : undefined,
    language: currentLanguage(),
    fetch: (request) => earlyAnswer(request) ?? fetch(request, { signal }),
  })

/**
 * Make a console call and answer its `data`.
 * @throws ApiError with a sentence in the reader's language, whatever went wrong.
 */
export const call = async <R extends Route>(
  route: R,
  input?: RouteSent<R>,
  signal?: AbortSignal,
): Promise<RouteAnswer<R>> => (await callWhole(route, input, signal)).data

/** The same, with what stands beside `data`. */
export async function callWhole<R extends Route>(
  route: R,
  input?: RouteSent<R>,
  signal?: AbortSignal,
): Promise<ApiAnswer<R>> {
  checkViewable(route)
  try {
    return await client(route, signal).callWhole(route, input)
  } catch (error) {
    const completed = await completedSignIn(error)
    // Every call that is refused like this answers who signed in.
    if (completed) return parsedAnswer(route, completed.user, completed.beside)
    const proof = await proofFor(error, route)
    if (proof === null || input?.stepUpProof !== undefined) throw understood(error)
    return callWhole(route, { ...input, stepUpProof: proof }, signal)
  }
}

/** Completes a sign-in that was refused for the want of a second factor; null for anything else, and when the reader declines. */
async function completedSignIn(error: unknown) {
  const asked = error instanceof ApiError && error.code === 'login.second_factor' ? error.secondFactor : undefined
  const user = asked && (await completeSignIn(asked))
  return user ? { user, beside: { action: 'login', message: '', return_to: asked.return_to ?? null } } : null
}

/** Whoever sees the console as another user does nothing else meanwhile. */
function checkViewable({ access, isViewable }: Route): void {
  if (!viewedUser || isViewable || access === 'guest') return
  throw new ApiError(translate('common:error.viewing'), 403, 'auth.forbidden', undefined)
}

/** What the reader proves again where a call was refused for the want of it; null for anything else, and when he declines. */
async function proofFor(error: unknown, { stepUp }: Route): Promise<string | null> {
  const isAsked = error instanceof ApiError && error.code === 'auth.step_up' && stepUp !== undefined
  return isAsked ? askForProof(stepUp.purpose) : null
}

/** Ask for a file; its body may still be arriving. @throws ApiError as `call` does. */
export async function download<R extends FileRoute>(route: R, input?: RouteSent<R>): Promise<Response> {
  try {
    checkViewable(route)
    return await client(route).download(route, input)
  } catch (error) {
    const proof = await proofFor(error, route)
    if (proof === null || input?.stepUpProof !== undefined) throw understood(error)
    return download(route, { ...input, stepUpProof: proof })
  }
}

/** What went wrong as one class with a sentence for the reader; an ended session is noticed on the way. */
export function understood(error: unknown): ApiError {
  if (!(error instanceof ApiError)) return new ApiError(translate('error.network'), 0, undefined, undefined)
  if (error.status === 401 && storedUser.get()) {
    storedUser.clear()
    onSignedOut()
  }
  if (error.code === 'auth.forbidden') onForbidden()
  if (error.code === 'auth.factor_needed') onFactorNeeded()
  return new ApiError(sentenceOf(error), error.status, error.code, error.requestId, error.field, error.secondFactor)
}

/** The sentences the specification gives for a status come before the server's own. */
function sentenceOf({ status, code, message }: ApiError): string {
  switch (status) {
    // Understood already: nobody answered.
    case 0:
      return message
    case 405:
      return code === 'demo.read_only' || !code ? translate('error.demo') : message
    case 429:
      return translate('error.rateLimited')
    case 500:
      return translate(isAdministrator() ? 'error.serverForAdmin' : 'error.server')
    case 200:
      // Without an error code of ours it is an answer that broke off.
      return code && message ? message : translate('error.network')
    default:
      return code && message ? message : translate('error.status', { status })
  }
}

/** Whoever would be asked for help reads where to look instead. */
const isAdministrator = (): boolean => (storedUser.get()?.role ?? 0) >= role.admin
