import { useEffect, useState } from 'preact/hooks'

/** Rows with which a drawing begins, and those that each frame adds. */
const STEP = 25

/** How many of many parts to show now: some more with each frame, so that the browser answers people between. */
export function useGradually(total: number): number {
  const [count, setCount] = useState(STEP)
  useEffect(() => {
    if (count >= total) return
    const frame = requestAnimationFrame(() => setCount(count + STEP))
    return () => cancelAnimationFrame(frame)
  }, [count, total])
  return Math.min(count, total)
}
