import { useSyncExternalStore } from 'react'
import { getSession, subscribeSession } from './session.ts'

const signedIn = (): boolean => getSession() !== undefined

/** True while an access token is stored. */
export const useSignedIn = (): boolean => useSyncExternalStore(subscribeSession, signedIn)
