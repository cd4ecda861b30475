import { AsyncLocalStorage } from 'node:async_hooks'
import { defaultRegion, provideRegion, type Region } from '#shared/region-format.ts'

// Sentences with amounts come from rules that both sides share and from errors deep in a verb. None of them should have to
// carry the format of the person who reads the answer.
const reading = new AsyncLocalStorage<Region>()
provideRegion(() => reading.getStore() ?? defaultRegion)

/** Runs the work with its sentences written for this reader; without one, and in jobs, in the default format. */
export const forReader = <T>(reader: Region | undefined, work: () => T): T =>
  // The default format needs no context that follows each promise.
  reader === undefined || reader.locale === defaultRegion.locale ? work() : reading.run(reader, work)
