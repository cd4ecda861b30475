import type { JobDefinition, PublicCtx } from '#server/context.ts'
import { machineClock } from '#server/clock/follow-clock.ts'
import type { Route } from '#server/http/route.ts'

// Browsers count a session's time by themselves, so a session lives by the machine's clock even where the product follows
// another one: moving that clock must not log anybody out.

/** Routes whose verbs are given the machine's clock. */
export function routesOnMachineTime(routes: readonly Route[]): Route[] {
  return routes.map(route => {
    const handler = route.handler as (ctx: PublicCtx, input: never) => Promise<unknown>
    return {
      ...route,
      handler: (ctx: PublicCtx, input: never) => handler({ ...ctx, clock: machineClock(ctx.clock) }, input),
    }
  })
}

/** Jobs that are given the machine's clock. */
export function jobsOnMachineTime(jobs: readonly JobDefinition<never>[]): JobDefinition<never>[] {
  return jobs.map(job => ({
    ...job,
    run: (services, data, run) => job.run({ ...services, clock: machineClock(services.clock) }, data, run),
  }))
}
