/** Whether this worker wants new calls. It stops wanting them before it stops taking them. */
export interface Readiness {
  readonly isDraining: boolean
  setDraining(): void
  /** Records the result of a check. */
  found(state: 'ready' | 'database' | 'secrets'): void
  /**
   * False while draining; otherwise whether the secrets could be decrypted at the last check. The availability of the database is known
   * elsewhere.
   */
  readonly isReady: boolean
}

export function createReadiness(): Readiness {
  let isDraining = false
  let isFine = true
  return {
    get isDraining() {
      return isDraining
    },
    get isReady() {
      return isFine && !isDraining
    },
    setDraining() {
      isDraining = true
    },
    found(state) {
      if (state !== 'database') isFine = state === 'ready'
    },
  }
}
