import type { Processes } from '../../support/processes.ts'

/** Controls the emulator: clock, faults, duration of reports. */
export async function control(sandbox: Processes['sandbox'], what: string, body: object): Promise<void> {
  const answer = await sandbox.control('POST', what, body)
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`)
}
