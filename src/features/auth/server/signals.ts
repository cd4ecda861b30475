import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-signal.ts'

/** Sessions of an account ended before their time: what belongs to them elsewhere has no owner any longer. */
export const sessionsEnded = defineSignal({
  name: 'auth.sessions-ended',
  data: z.object({ accountId: z.number() }),
})
