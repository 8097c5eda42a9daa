/** Whether this worker wants new calls. It stops wanting them before it stops taking them. */
export interface Readiness {
  readonly isDraining: boolean
  setDraining(): void
}

export function createReadiness(): Readiness {
  let isDraining = false
  return {
    get isDraining() {
      return isDraining
    },
    setDraining() {
      isDraining = true
    },
  }
}
