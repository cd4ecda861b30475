import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** /onboarding-survey, without the dashboard. */
export function surveyRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/onboarding-survey',
      component: lazyRouteComponent(() => import('./survey-page.tsx'), 'SurveyPage'),
    }),
  ]
}
