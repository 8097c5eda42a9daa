import { NewPasskeyResponse, PasskeyResponse, type NewPasskeyRequest, type PasskeyRequest } from '@tollgate/contract'

export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Passkeys are bound to a host name; a site at a bare IP address cannot have any. */
export const canSignInByPasskey = (): boolean => canUsePasskeys() && !/^[\d.]+$|^\[/.test(location.hostname)

export const canMakePasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential

/** Creates a passkey. Resolves with null if the reader cancels or the device already has one. */
export async function makePasskey(request: NewPasskeyRequest): Promise<NewPasskeyResponse | null> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(request)
    const credential = await navigator.credentials.create({ publicKey })
    return credential instanceof PublicKeyCredential ? NewPasskeyResponse.parse(credential.toJSON()) : null
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}

/** Asks the reader for a passkey. Resolves with null if they cancel or have none. */
export async function requestPasskey(request: PasskeyRequest): Promise<PasskeyResponse | null> {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request)
    const credential = await navigator.credentials.get({ publicKey })
    return credential instanceof PublicKeyCredential ? PasskeyResponse.parse(credential.toJSON()) : null
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}
