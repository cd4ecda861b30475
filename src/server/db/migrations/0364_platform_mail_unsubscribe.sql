-- Where a mail program ends the kind of mail that this one is of, without asking anybody; deleted with the text.
alter table mail_outbox add column unsubscribe_url text;
