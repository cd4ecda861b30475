import type { JobDefinition, PublicCtx } from '#server/context.ts'
import { machineClock } from '#server/clock/follow-clock.ts'
import type { Route } from '#server/http/route.ts'

// Sessions use the machine's clock even if the product follows another one, because browsers count a session's time
// themselves: moving the other clock must not log anybody out.

/** Gives the verbs of these routes the machine's clock. */
export function routesOnMachineTime(routes: readonly Route[]): Route[] {
  return routes.map(route => {
    const handler = route.handler as (ctx: PublicCtx, input: never) => Promise<unknown>
    return {
      ...route,
      handler: (ctx: PublicCtx, input: never) => handler({ ...ctx, clock: machineClock(ctx.clock) }, input),
    }
  })
}

/** Gives these jobs the machine's clock. */
export function jobsOnMachineTime(jobs: readonly JobDefinition<never>[]): JobDefinition<never>[] {
  return jobs.map(job => ({
    ...job,
    run: (services, data, run) => job.run({ ...services, clock: machineClock(services.clock) }, data, run),
  }))
}
