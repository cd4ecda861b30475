import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { homeWhenSignedIn } from '#client/guarded.ts'
import { affiliateSearch, tokenSearch } from './use-link-token.ts'

export function publicAuthRoutes<P extends AnyRoute>(parent: P) {
  return [
    createRoute({
      getParentRoute: () => parent,
      path: '/login',
      beforeLoad: homeWhenSignedIn,
      component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/register',
      validateSearch: affiliateSearch,
      beforeLoad: homeWhenSignedIn,
      component: lazyRouteComponent(() => import('./register-page.tsx'), 'RegisterPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/forgot-password',
      component: lazyRouteComponent(() => import('./password-pages.tsx'), 'ForgotPasswordPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/verify-email',
      validateSearch: tokenSearch,
      beforeLoad: homeWhenSignedIn,
      component: lazyRouteComponent(() => import('./verify-email-page.tsx'), 'VerifyEmailPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/reset-password',
      validateSearch: tokenSearch,
      beforeLoad: homeWhenSignedIn,
      component: lazyRouteComponent(() => import('./password-pages.tsx'), 'ResetPasswordPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/keep-account',
      validateSearch: tokenSearch,
      component: lazyRouteComponent(() => import('./keep-account-page.tsx'), 'KeepAccountPage'),
    }),
  ] as const
}
