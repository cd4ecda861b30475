const stops: (() => Promise<unknown>)[] = []

/** Has `stop` run at the end of the part, or when the measuring is broken off; the last first. */
export const atEnd = (stop: () => Promise<unknown>): void => void stops.push(stop)

/** Ends all that was started and is not ended yet. */
export const endAll = async (): Promise<void> => {
  for (let stop = stops.pop(); stop; stop = stops.pop())
    await stop().catch((error: Error) => console.error(error.message))
}
