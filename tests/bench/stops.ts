const stops: (() => Promise<unknown>)[] = []
let ending: Promise<void> | undefined

/** Has `stop` run at the end of the part, or when the measuring is broken off; the last first. */
export const atEnd = (stop: () => Promise<unknown>): void => void stops.push(stop)

/** Ends everything that was started and still runs, one after the other. A second call at the same time does nothing. */
export function endAll(): Promise<void> {
  ending ??= runStops().finally(() => {
    ending = undefined
  })
  return ending
}

async function runStops(): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop())
    await stop().catch((error: Error) => console.error(error.message))
}
