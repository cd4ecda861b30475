-- By which program a log-in was made, as it names itself, and when it last renewed its tokens.
alter table session
  add column user_agent text not null default '',
  add column last_used_at timestamptz;
update session set last_used_at = created_at;
alter table session
  drop constraint session_end_reason_check,
  add constraint session_end_reason_check
    check (end_reason in ('LOGOUT', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'TOKEN_REUSED', 'ENDED_BY_USER', 'ERASED'));

-- When the account will be erased, as its user asked for; ERASED while that is being done, which cannot be undone any more.
alter table account
  add column erase_at timestamptz,
  drop constraint account_status_check,
  add constraint account_status_check check (status in ('ACTIVE', 'SUSPENDED', 'ERASED'));
create index account_to_erase on account (erase_at) where erase_at is not null;
alter table auth_token
  drop constraint auth_token_purpose_check,
  add constraint auth_token_purpose_check check (purpose in ('VERIFY_EMAIL', 'RESET_PASSWORD', 'KEEP_ACCOUNT'));
