/** Whether this worker wants new calls. It stops wanting them before it stops taking them. */
export interface Readiness {
  readonly isDraining: boolean
  setDraining(): void
  /** What was found when somebody asked last. */
  found(state: 'ready' | 'database' | 'secrets'): void
  /** As of the last look; not while draining. */
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
      isFine = state === 'ready'
    },
  }
}
