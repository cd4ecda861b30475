import { PageTabs } from '#client/ui/shell/navigation/page-tabs.tsx'

const pages = [
  { to: '/automation-logs', label: 'Log' },
  { to: '/automation-groups', label: 'Groups' },
]

/** The way between what was decided and the groups that it was decided for. */
export const AutomationTabs = () => <PageTabs label="Automation" pages={pages} />
