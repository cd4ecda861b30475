-- Mails to be sent, written in the transaction of what they tell. Their text goes once they are settled: it holds links.
create table mail_outbox (
  id bigint generated always as identity primary key,
  to_address text not null,
  subject text not null,
  text text,
  html text,
  -- The same occasion makes one mail, however often it is worked on.
  dedupe_key text not null unique,
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'REFUSED', 'GIVEN_UP')),
  attempts int not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
create index mail_outbox_created on mail_outbox (created_at);
