/** Whether this worker wants new calls. It stops wanting them before it stops taking them. */
export interface Readiness {
  readonly isDraining: boolean
  setDraining(): void
  /** What was found when somebody asked. */
  found(state: 'ready' | 'database' | 'secrets'): void
  /** Not while draining; else whether the secrets could be opened at the last look. Whether the database answers others know. */
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
