/*
 * Reads one event stream over many connections and times its events.
 *
 *   load PORT PATH CONNECTIONS [HEADER]
 *
 * Opens the connections, 20 000 from each of the addresses 127.0.0.2, 127.0.0.3 and so on, because one address has only
 * 28 000 ports. Prints `open N`, then one line for each line on stdin:
 *   `reset`      resets the counters
 *   `wait N`     waits until N events in total have arrived, or for 20 s, and prints
 *                `got N seconds cpu p50 p99`: seconds from the first event's sending to the last one's arrival, the CPU
 *                time of this program since the reset, and the delay of deliveries in microseconds
 *   `quit`
 * An event contains `"t":"` and 19 digits: its publication time on this machine, CLOCK_MONOTONIC in nanoseconds.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CARRY 32
#define MARK "\"t\":\""
#define DIGITS 19
#define SAMPLES 1000000
#define STDIN 0xffffffffu
#define PER_ADDRESS 20000

struct conn {
  int fd, held, headed;
  char carry[CARRY];
};

static struct conn *conns;
static int count, epoll_fd, opened;
static long long got, first_sent, last_seen;
static double cpu_at;
static unsigned samples[SAMPLES];
static long long sampled;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static double cpu(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static int by_size(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

static void take(struct conn *c, char *data, int length) {
  long long at = now();
  char *end = data + length, *from = data, *mark;
  if (!c->headed && memmem(data, length, "\r\n\r\n", 4)) {
    c->headed = 1;
    opened++;
  }
  while ((mark = memmem(from, end - from, MARK, 5)) && mark + 5 + DIGITS <= end) {
    long long sent = 0;
    for (int i = 0; i < DIGITS; i++) sent = sent * 10 + (mark[5 + i] - '0');
    if (first_sent == 0 || sent < first_sent) first_sent = sent;
    samples[sampled++ % SAMPLES] = (unsigned)((at - sent) / 1000);
    got++;
    last_seen = at;
    from = mark + 5 + DIGITS;
  }
  c->held = end - from < CARRY ? end - from : CARRY - 1;
  memcpy(c->carry, end - c->held, c->held);
}

/* Reads the received data. Returns true if a line is waiting on stdin. */
static int serve(int timeout_ms) {
  struct epoll_event events[512];
  static char buffer[CARRY + 262144];
  int n = epoll_wait(epoll_fd, events, 512, timeout_ms), ordered = 0;
  for (int i = 0; i < n; i++) {
    if (events[i].data.u32 == STDIN) {
      ordered = 1;
      continue;
    }
    struct conn *c = &conns[events[i].data.u32];
    memcpy(buffer, c->carry, c->held);
    int length = read(c->fd, buffer + c->held, 262144);
    if (length == 0 || (length < 0 && errno != EAGAIN)) {
      fprintf(stderr, "connection %u ended\n", events[i].data.u32);
      exit(1);
    }
    if (length > 0) take(c, buffer, c->held + length);
  }
  return ordered;
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5) return 64;
  count = atoi(argv[3]);
  conns = calloc(count, sizeof *conns);
  epoll_fd = epoll_create1(0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  char request[4096];
  int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n%s%s\r\n", argv[2],
                        argc > 4 ? argv[4] : "", argc > 4 ? "\r\n" : "");
  for (int i = 0; i < count; i++) {
    conns[i].fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in source = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + i / PER_ADDRESS)};
    int late = 1;
    /* The port is chosen in connect(), so that it only needs to be free for this destination. */
    setsockopt(conns[i].fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &late, sizeof late);
    if (bind(conns[i].fd, (struct sockaddr *)&source, sizeof source) != 0 || connect(conns[i].fd, (struct sockaddr *)&address, sizeof address) != 0 || write(conns[i].fd, request, length) != length) {
      perror("connect");
      return 1;
    }
    fcntl(conns[i].fd, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, conns[i].fd, &event);
    while (opened < i - 64) serve(1000);
  }
  while (opened < count) serve(1000);
  printf("open %d\n", count);
  fflush(stdout);
  struct epoll_event input = {.events = EPOLLIN, .data.u32 = STDIN};
  epoll_ctl(epoll_fd, EPOLL_CTL_ADD, 0, &input);
  char line[64];
  for (;;) {
    if (!serve(1000)) continue;
    /* Commands arrive one at a time, so stdio never buffers a second line. */
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "quit", 4) == 0) break;
    if (strncmp(line, "reset", 5) == 0) {
      got = sampled = first_sent = last_seen = 0;
      cpu_at = cpu();
      printf("reset\n");
    } else {
      long long wanted = atoll(line + 5), end = now() + 20000000000LL;
      while (got < wanted && now() < end) serve(100);
      double used = cpu() - cpu_at;
      long long n = sampled < SAMPLES ? sampled : SAMPLES;
      qsort(samples, n, sizeof *samples, by_size);
      printf("got %lld %.6f %.6f %u %u\n", got, (last_seen - first_sent) / 1e9, used, n ? samples[n / 2] : 0, n ? samples[n * 99 / 100] : 0);
    }
    fflush(stdout);
  }
  return 0;
}
