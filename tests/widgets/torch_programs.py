"""Programs as they are published for PyTorch, each with its loop and its loss.

Small sizes, no data to be fetched; else as one finds them in tutorials and examples.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Program(NamedTuple):
    """A model with its optimiser; ``train`` returns the losses of its steps."""

    model: Any
    optimizer: Any
    loss: Any
    train: Any


class Net(nn.Module):
    """The classifier of PyTorch's MNIST example, for images of 8×8."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, 1)
        self.conv2 = nn.Conv2d(4, 6, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.fc1 = nn.Linear(24, 16)
        self.fc2 = nn.Linear(16, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.max_pool2d(x, 2)
        x = self.dropout1(x)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = self.fc2(x)
        return F.log_softmax(x, dim=1)


def cnn():
    torch.manual_seed(0)
    model = Net()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
    images, digits = torch.randn(32, 1, 8, 8), torch.randint(0, 10, (32,))
    loader = DataLoader(TensorDataset(images, digits), batch_size=8, shuffle=True)

    def compute():
        output = model(images[:4])
        loss = F.nll_loss(output, digits[:4])
        return loss

    def train():
        losses = []
        for _ in range(2):
            model.train()
            for data, target in loader:
                optimizer.zero_grad()
                output = model(data)
                loss = F.nll_loss(output, target)
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            model.eval()
            with torch.no_grad():
                model(images)
            scheduler.step()
        model.train()
        return losses

    return Program(model, optimizer, compute, train)


class Tagger(nn.Module):
    """The tagger of the tutorial on sequence models."""

    def __init__(self):
        super().__init__()
        self.word_embeddings = nn.Embedding(11, 5)
        self.lstm = nn.LSTM(5, 6)
        self.hidden2tag = nn.Linear(6, 3)

    def forward(self, sentence):
        embeds = self.word_embeddings(sentence)
        lstm_out, _ = self.lstm(embeds.view(len(sentence), 1, -1))
        tag_space = self.hidden2tag(lstm_out.view(len(sentence), -1))
        return F.log_softmax(tag_space, dim=1)


def lstm():
    torch.manual_seed(0)
    model = Tagger()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_function = nn.NLLLoss()
    sentence, tags = torch.randint(0, 11, (7,)), torch.randint(0, 3, (7,))

    def compute():
        tag_scores = model(sentence)
        loss = loss_function(tag_scores, tags)
        return loss

    return Program(model, optimizer, compute, looped(optimizer, compute))


class Cells(nn.Module):
    """A cell in a loop, as one writes it where the steps are to be seen."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, inputs):
        h = c = torch.zeros(inputs.shape[1], 4)
        for x in inputs:
            h, c = self.cell(x, (h, c))
        return self.head(h)


def lstm_cell():
    torch.manual_seed(0)
    model = Cells()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
    inputs, target = torch.randn(5, 2, 3), torch.randn(2, 1)

    def compute():
        prediction = model(inputs)
        loss = F.mse_loss(prediction, target)
        return loss

    return Program(model, optimizer, compute, looped(optimizer, compute))


def gan():
    torch.manual_seed(0)
    netG = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 3), nn.Tanh())
    netD = nn.Sequential(
        nn.Linear(3, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1), nn.Sigmoid()
    )
    optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
    optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
    criterion = nn.BCELoss()
    real = torch.randn(6, 3)

    def compute():
        fake = netG(torch.ones(6, 2))
        output = netD(fake).view(-1)
        errG = criterion(output, torch.ones(6))
        return errG

    def train():
        losses = []
        for _ in range(3):
            netD.zero_grad()
            label = torch.full((6,), 1.0)
            output = netD(real).view(-1)
            errD_real = criterion(output, label)
            errD_real.backward()
            fake = netG(torch.randn(6, 2))
            label.fill_(0.0)
            output = netD(fake.detach()).view(-1)
            errD_fake = criterion(output, label)
            errD_fake.backward()
            optimizerD.step()
            losses.append((errD_real + errD_fake).item())
            netG.zero_grad()
            label.fill_(1.0)
            output = netD(fake).view(-1)
            errG = criterion(output, label)
            errG.backward()
            optimizerG.step()
        return losses

    return Program(netD, optimizerD, compute, train)


class LanguageModel(nn.Module):
    """PyTorch's own encoder, with a causal mask."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(9, 8)
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.decoder = nn.Linear(8, 9)

    def forward(self, src):
        mask = nn.Transformer.generate_square_subsequent_mask(src.shape[1])
        src = self.embedding(src) * math.sqrt(8)
        return self.decoder(self.encoder(src, mask=mask, is_causal=True))


def transformer():
    torch.manual_seed(0)
    model = LanguageModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    text = torch.randint(0, 9, (3, 6))

    def compute():
        logits = model(text[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, 9), text[:, 1:].reshape(-1))
        return loss

    def train():
        losses = []
        for _ in range(3):
            optimizer.zero_grad(set_to_none=True)
            loss = compute()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
        return losses

    return Program(model, optimizer, compute, train)


class VAE(nn.Module):
    """The variational autoencoder of PyTorch's examples."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 5)
        self.fc21 = nn.Linear(5, 2)
        self.fc22 = nn.Linear(5, 2)
        self.fc3 = nn.Linear(2, 6)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def forward(self, x):
        h1 = F.relu(self.fc1(x))
        mu, logvar = self.fc21(h1), self.fc22(h1)
        z = self.reparameterize(mu, logvar)
        return torch.sigmoid(self.fc3(z)), mu, logvar


def vae():
    torch.manual_seed(0)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    data = torch.rand(4, 6)

    def compute():
        recon, mu, logvar = model(data)
        BCE = F.binary_cross_entropy(recon, data, reduction="sum")
        KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        loss = BCE + KLD
        return loss

    return Program(model, optimizer, compute, looped(optimizer, compute))


class BasicBlock(nn.Module):
    """The block of torchvision's residual networks, with its in-place writes."""

    def __init__(self, planes):
        super().__init__()
        self.conv1 = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)

    def forward(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)
        out = self.conv2(out)
        out = self.bn2(out)
        out += identity
        return self.relu(out)


def resnet():
    torch.manual_seed(0)
    pool = nn.AdaptiveAvgPool2d(1)
    model = nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1), BasicBlock(4), pool, nn.Flatten(), nn.Linear(4, 3)
    )
    optimizer = torch.optim.SGD(
        model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4, nesterov=True
    )
    images, labels = torch.randn(4, 3, 6, 6), torch.tensor([0, 1, 2, 1])

    def compute():
        scores = model(images)
        loss = F.cross_entropy(scores, labels, label_smoothing=0.1)
        return loss

    return Program(model, optimizer, compute, looped(optimizer, compute))


def wgan():
    torch.manual_seed(0)
    critic = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
    real, fake = torch.randn(4, 3), torch.randn(4, 3)

    def gradient_penalty():
        alpha = torch.rand(4, 1)
        mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
        scores = critic(mixed)
        ones = torch.ones_like(scores)
        (gradients,) = torch.autograd.grad(scores, mixed, ones, create_graph=True)
        return ((gradients.norm(2, dim=1) - 1) ** 2).mean()

    def compute():
        loss = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty()
        return loss

    return Program(critic, optimizer, compute, looped(optimizer, compute))


def looped(optimizer, compute):
    """The loop that most programs have."""

    def train():
        losses = []
        for _ in range(3):
            optimizer.zero_grad()
            loss = compute()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    return train


PROGRAMS = [cnn, lstm, lstm_cell, gan, transformer, vae, resnet, wgan]
