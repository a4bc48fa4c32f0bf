// GMime: a message's subject and sender; in mode `fields` every field decoded, in mode `body` its text as UTF-8.
// HTML stays HTML.
#include <gmime/gmime.h>

#include "rig.h"

struct Facts {
  std::string subject, sender, body;
  size_t fieldUnits = 0;
};

struct Texts {
  std::string plain, html;
};

static void collect(GMimeObject *, GMimeObject *part, gpointer context) {
  if (!GMIME_IS_TEXT_PART(part)) return;
  auto *disposition = g_mime_object_get_disposition(part);
  if (disposition != nullptr && g_ascii_strcasecmp(disposition, "attachment") == 0) return;
  auto *type = g_mime_object_get_content_type(part);
  auto &texts = *static_cast<Texts *>(context);
  const bool isPlain = g_mime_content_type_is_type(type, "text", "plain");
  if (!isPlain && !(texts.plain.empty() && g_mime_content_type_is_type(type, "text", "html"))) return;
  char *text = g_mime_text_part_get_text(GMIME_TEXT_PART(part));
  if (text == nullptr) return;
  (isPlain ? texts.plain : texts.html) += text;
  g_free(text);
}

static Facts read(const std::string &bytes, bool wantsFields, bool wantsBody) {
  Facts facts;
  GMimeStream *stream = g_mime_stream_mem_new_with_buffer(bytes.data(), bytes.size());
  GMimeParser *parser = g_mime_parser_new_with_stream(stream);
  g_object_unref(stream);
  GMimeMessage *message = g_mime_parser_construct_message(parser, nullptr);
  g_object_unref(parser);
  if (message == nullptr) return facts;
  if (const char *subject = g_mime_message_get_subject(message)) facts.subject = subject;
  InternetAddressList *from = g_mime_message_get_from(message);
  if (from != nullptr && internet_address_list_length(from) > 0) {
    InternetAddress *first = internet_address_list_get_address(from, 0);
    if (INTERNET_ADDRESS_IS_MAILBOX(first)) {
      const char *address = internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(first));
      if (address != nullptr) facts.sender = address;
    }
  }
  if (wantsFields) {
    GMimeHeaderList *fields = g_mime_object_get_header_list(GMIME_OBJECT(message));
    for (int at = 0; at < g_mime_header_list_get_count(fields); at++)
      facts.fieldUnits += std::strlen(
          g_mime_header_get_value(g_mime_header_list_get_header_at(fields, at)));
  }
  if (wantsBody) {
    Texts texts;
    g_mime_message_foreach(message, collect, &texts);
    facts.body = texts.plain.empty() ? texts.html : texts.plain;
  }
  g_object_unref(message);
  return facts;
}

int main(int, char **arguments) {
  g_mime_init();
  rig::Input input(arguments[2]);
  const auto messages = input.list();
  const bool wantsFields = std::strcmp(arguments[1], "fields") == 0;
  const bool wantsBody = std::strcmp(arguments[1], "body") == 0;
  rig::serve(
      [&](size_t at) { return read(messages[at], wantsFields, wantsBody); },
      [](const Facts &facts) {
        gchar *sender = g_ascii_strdown(facts.sender.c_str(), -1);
        std::string told, text;
        for (const char c : std::string(sender) + "|" + facts.subject)
          if (static_cast<unsigned char>(c) > ' ') told += c;
        g_free(sender);
        for (const char c : facts.body)
          if (g_ascii_isalnum(c) && text.size() < 200) text += c;
        told += "|" + text;
        return told;
      });
}
