/** The response of `aBrowserWithPasskeys`. */
export const passkeyResponse = {
  id: 'key-1',
  rawId: 'key-1',
  type: 'public-key',
  response: { clientDataJSON: 'client', authenticatorData: 'data', signature: 'signature' },
}

/** Simulates a browser with a passkey for this challenge alone. Returns a function that removes it. */
export function aBrowserWithPasskeys(challenge: string): () => void {
  class PublicKeyCredential {
    static parseRequestOptionsFromJSON = (options: object) => options
    toJSON = () => passkeyResponse
  }
  Object.assign(globalThis, { PublicKeyCredential })
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      get: async ({ publicKey }: { readonly publicKey: { readonly challenge: string } }) => {
        if (publicKey.challenge !== challenge) throw new DOMException('No', 'NotAllowedError')
        return new PublicKeyCredential()
      },
    },
  })
  return () => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    Reflect.deleteProperty(navigator, 'credentials')
  }
}
