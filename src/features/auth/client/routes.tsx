import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { homeWhenSignedIn } from '#client/guarded.ts'
import { tokenSearch } from './use-link-token.ts'

/** The screens for users who are not logged in. */
export function publicAuthRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/login',
      beforeLoad: homeWhenSignedIn,
      component: lazyRouteComponent(() => import('./session/login-page.tsx'), 'LoginPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/register',
      beforeLoad: homeWhenSignedIn,
      component: lazyRouteComponent(() => import('./registration/register-page.tsx'), 'RegisterPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/forgot-password',
      component: lazyRouteComponent(() => import('./password/forgot-password-page.tsx'), 'ForgotPasswordPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/verify-email',
      validateSearch: tokenSearch,
      beforeLoad: homeWhenSignedIn,
      component: lazyRouteComponent(() => import('./registration/verify-email-page.tsx'), 'VerifyEmailPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/reset-password',
      validateSearch: tokenSearch,
      beforeLoad: homeWhenSignedIn,
      component: lazyRouteComponent(() => import('./password/reset-password-page.tsx'), 'ResetPasswordPage'),
    }),
  ] as const
}
