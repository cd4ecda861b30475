import type { Processes } from '../../support/processes.ts'

/** Controls the emulator: clock, faults, duration of reports. */
export async function control(sandbox: Processes['sandbox'], what: string, body: object): Promise<void> {
  const answer = await sandbox.control('POST', what, body)
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`)
}

/** Delays the marketplace's answers to what a launch creates. Returns what lets them go. */
export async function holdLaunches(sandbox: Processes['sandbox']): Promise<() => Promise<void>> {
  // Shorter than the time limit of a call.
  const slow = { match: { vendor: 'ads', method: 'POST', path: '/sp/*' }, kind: 'slow', delayMs: 25_000, times: 1000 }
  await control(sandbox, 'faults', slow)
  return async () => {
    const answer = await sandbox.control('DELETE', 'faults')
    if (!answer.ok) throw new Error(`faults: ${answer.status} ${await answer.text()}`)
  }
}
