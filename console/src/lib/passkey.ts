import { PasskeyAnswer, type PasskeyRequest } from '@tollgate/contract'

export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Asks the reader for a passkey. Resolves with null if he declines or has none. */
export async function askForPasskey(request: PasskeyRequest): Promise<PasskeyAnswer | null> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request)
    const credential = await navigator.credentials.get({ publicKey })
    return credential instanceof PublicKeyCredential ? PasskeyAnswer.parse(credential.toJSON()) : null
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}
