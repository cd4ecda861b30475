import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { askGuard, type GuardQuestions } from './api/memory/guard-answers.ts'
import { getSession } from './api/session/session.ts'
import { routeGuard } from './route-guard.ts'

interface Entering {
  context: { queryClient: QueryClient }
  location: { pathname: string }
}

/** Whether the guard lets the present user stay at an address. */
export type CanReach = (path: string) => boolean

/**
 * `beforeLoad` of the authenticated area: throws the router's redirect when the guard says so. Adds to the context of the
 * routes below which other addresses the user can reach, so that the frame offers no others.
 */
export const guarded =
  (questions: GuardQuestions) =>
  async ({ context, location }: Entering): Promise<{ canReach: CanReach }> => {
    const answers = await askGuard(context.queryClient, questions)
    // A plain string: this room does not know which addresses the features registered.
    const target: string | null = routeGuard(answers, location.pathname)
    if (target) throw redirect({ to: target, replace: true })
    return { canReach: path => routeGuard(answers, path) === null }
  }

/** `beforeLoad` of / : the start for who is signed in, the log-in for others. */
export function startOrLogin(): never {
  const to: string = getSession() ? '/home' : '/login'
  throw redirect({ to, replace: true })
}

/** `beforeLoad` of the public pages that a signed-in user has no use for. */
export function homeWhenSignedIn(): void {
  const to: string = '/home'
  if (getSession()) throw redirect({ to, replace: true })
}
