/** Which launch of which merchant. */
export interface LaunchKey {
  merchantId: number
  launchId: number
}
