import { test as base } from '@playwright/test'
import { type Processes, startProcesses } from '../../support/processes.ts'

type Options = Parameters<typeof startProcesses>[0]

/** The product and the outside world for the stories of one file; `now()` answers them once they run. */
export const worldOfFile = (options: Options | (() => Promise<Options>) = {}): { readonly now: Processes } => {
  let processes: Processes | undefined
  base.beforeAll(async () => {
    processes = await startProcesses(typeof options === 'function' ? await options() : options)
  })
  base.afterAll(async () => {
    await processes?.stop()
  })
  return {
    get now() {
      if (!processes) throw new Error('The world is not running yet')
      return processes
    },
  }
}
