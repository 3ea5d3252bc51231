#include "ranks/rank_sockets.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::ranks {
namespace {

using ::testing::HasSubstr;

int Connect(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  return socket;
}

// Sends `bytes` to the port, and returns what arrives before the end of the stream.
std::string Ask(int port, const std::string& bytes) {
  const int socket = Connect(port);
  EXPECT_EQ(send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
  std::string answer(100, '\0');
  const ssize_t got = recv(socket, answer.data(), answer.size(), 0);
  answer.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  close(socket);
  return answer;
}

TEST(RankSocketsTest, RanksMeetAndStrangersAreTurnedAway) {
  for (const bool only_here : {true, false}) {
    int listener = -1;
    absl::StatusOr<Contact> contact = OfferContact(only_here, &listener);
    ASSERT_TRUE(contact.ok()) << contact.status();
    absl::StatusOr<Contact> told = Contact::Parse(contact->Text());
    ASSERT_TRUE(told.ok()) << told.status();
    int sockets[3] = {-1, -1, -1};
    std::thread others([&] {
      const std::string wrong(32, '0');
      EXPECT_EQ(Ask(contact->port, wrong + " 00000001"), "");
      EXPECT_EQ(Ask(contact->port, contact->to_listener + " 00000007"), "");  // no rank of this job
      EXPECT_EQ(Ask(contact->port, "GET / HTTP/1.1\r\nHost: here\r\nAccept: */*\r\n\r\n"), "");
      for (const int rank : {2, 1}) {
        absl::StatusOr<int> socket = ConnectToRank(*told, rank);
        ASSERT_TRUE(socket.ok()) << socket.status();
        sockets[rank] = *socket;
      }
    });
    const std::vector<int> accepted = AcceptRanks(listener, *contact, 3);
    others.join();
    close(listener);
    ASSERT_EQ(accepted.size(), 3u);
    EXPECT_EQ(accepted[0], -1);
    for (const int rank : {1, 2}) {
      char byte = static_cast<char>(rank), got = 0;
      ASSERT_EQ(write(accepted[static_cast<size_t>(rank)], &byte, 1), 1);
      while (read(sockets[rank], &got, 1) < 0 && errno == EAGAIN) usleep(1000);
      EXPECT_EQ(got, byte);
      close(accepted[static_cast<size_t>(rank)]);
      close(sockets[rank]);
    }
  }
}

// Each stranger may take twenty seconds. One after the other, they would take more than the minute
// for which ranks are awaited.
TEST(RankSocketsTest, StrangersWhoSayNothingKeepNobodyOut) {
  int listener = -1;
  absl::StatusOr<Contact> contact = OfferContact(/*only_here=*/true, &listener);
  ASSERT_TRUE(contact.ok()) << contact.status();
  std::vector<int> strangers;
  for (int i = 0; i < 20; ++i) {
    strangers.push_back(Connect(contact->port));
    if (i % 2 == 0) {
      EXPECT_EQ(send(strangers.back(), contact->to_listener.data(), 10, MSG_NOSIGNAL), 10);
    }
  }
  int socket = -1;
  std::thread other([&] {
    absl::StatusOr<int> connected = ConnectToRank(*contact, 1);
    EXPECT_TRUE(connected.ok()) << connected.status();
    socket = connected.value_or(-1);
  });
  const std::vector<int> accepted = AcceptRanks(listener, *contact, 2);
  other.join();
  ASSERT_EQ(accepted.size(), 2u);
  EXPECT_GE(accepted[1], 0);
  strangers.insert(strangers.end(), {listener, accepted[1], socket});
  for (const int open : strangers) close(open);
}

TEST(RankSocketsTest, WhatWasTriedIsSaid) {
  int listener = -1;
  absl::StatusOr<Contact> contact = OfferContact(/*only_here=*/true, &listener);
  ASSERT_TRUE(contact.ok()) << contact.status();
  close(listener);
  const absl::Status status = ConnectToRank(*contact, 3).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("rank 3"));
  EXPECT_THAT(status.message(), HasSubstr("127.0.0.1: Connection refused"));
  EXPECT_FALSE(Contact::Parse("").ok());
}

}  // namespace
}  // namespace halyard::ranks
