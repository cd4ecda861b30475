import type { Route } from '#server/http/route.ts'

/** The calls of every page of insights, each with its own contract. */
export const insightsRoutes: Route[] = []
