import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JobDefinition, PublicCtx, Services } from '#server/context.ts'
import type { Route } from '#server/http/route.ts'
import { jobsOnMachineTime, routesOnMachineTime } from './machine-time.ts'

const machine = { now: () => new Date('2026-11-22T12:00:00Z') }
const followed = { now: () => new Date('2026-12-24T12:00:00Z'), machine }
const run = { id: 'test', attempt: 0, lastAttempt: false, signal: new AbortController().signal }

test('a session counts its time by the machine, whatever clock the product follows', async () => {
  const clockRoute = { handler: (ctx: PublicCtx) => Promise.resolve(ctx.clock.now()) } as unknown as Route
  const [route] = routesOnMachineTime([clockRoute])
  expect(await route?.handler({ clock: followed } as never, undefined as never)).toEqual(machine.now())
  expect(await route?.handler({ clock: machine } as never, undefined as never)).toEqual(machine.now())
  const times: Date[] = []
  const job: JobDefinition<never> = {
    name: 'probe',
    data: z.never(),
    run: async ({ clock }) => void times.push(clock.now()),
  }
  const [onMachineTime] = jobsOnMachineTime([job])
  await onMachineTime?.run({ clock: followed } as unknown as Services, undefined as never, run)
  expect(times).toEqual([machine.now()])
})
