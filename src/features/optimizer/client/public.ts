import { lazyWhenIdle } from '#client/early/when-idle.ts'

// The lists of campaigns are shown without it first.
export const ManagedMark = lazyWhenIdle(() => import('./managed-mark.tsx').then(m => m.ManagedMark))
