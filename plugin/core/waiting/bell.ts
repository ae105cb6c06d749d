/** Wakes a loop that waits. */
export interface Bell {
  ring(): void
  /** Resolves when the bell rings, at once if it has rung since the last call. */
  heard(): Promise<void>
}

/** Creates a bell for one loop. */
export function createBell(): Bell {
  let rung = false
  let tell = () => {}
  return {
    ring() {
      rung = true
      tell()
    },
    async heard() {
      if (!rung) {
        await new Promise<void>((resolve) => {
          tell = resolve
        })
      }
      rung = false
    },
  }
}
